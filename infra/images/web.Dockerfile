# The web process, the commands and the sweep: no torch, no weights.
#   docker build --file infra/images/web.Dockerfile --tag cliprank-web .
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    DATA_DIR=/data \
    MEDIA_ROOT=/media \
    STATIC_ROOT=/app/collected

RUN useradd --create-home --uid 10001 cliprank && install --directory --owner cliprank /app /data /media

WORKDIR /app
COPY requirements-web.lock ./
RUN pip install --requirement requirements-web.lock

COPY pyproject.toml README.md manage.py ./
COPY scoring scoring
COPY leaderboard leaderboard
COPY templates templates
COPY static static
RUN pip install --no-deps --editable . \
    && DATA_DIR=/tmp/build python manage.py collectstatic --no-input \
    && rm -r /tmp/build

USER 10001
VOLUME ["/data", "/media"]
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["gunicorn", "leaderboard.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", "--no-control-socket", "--max-requests", "5000", "--max-requests-jitter", "500"]

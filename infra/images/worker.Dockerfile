# A worker with the embedded judges, and Java for the metrics of shared words.
#   CUDA: docker build --file infra/images/worker.Dockerfile --tag cliprank-worker:cuda .
#   CPU:  the same with --build-arg TORCH_INDEX=ADDRESS, that of PyTorch's index of CPU builds
FROM python:3.11-slim-bookworm

# Empty: the build of torch that the usual index has, which on x86-64 brings CUDA with it.
ARG TORCH_INDEX=""

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    DATA_DIR=/data \
    MEDIA_ROOT=/media

# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends default-jre-headless \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 cliprank \
    && install --directory --owner cliprank /app /data /media

WORKDIR /app
COPY requirements.lock ./
RUN grep '^torch==' requirements.lock > torch.txt \
    && pip install ${TORCH_INDEX:+--index-url "$TORCH_INDEX"} --requirement torch.txt \
    && pip install --requirement requirements.lock \
    && rm torch.txt

COPY pyproject.toml README.md manage.py ./
COPY scoring scoring
COPY leaderboard leaderboard
COPY templates templates
COPY static static
RUN pip install --no-deps --editable .

USER 10001
VOLUME ["/data", "/media"]
# All judges; name one with --judge NAME.
CMD ["cliprank-worker"]

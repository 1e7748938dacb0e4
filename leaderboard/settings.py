"""Settings: everything comes from the environment, every default works on one bare machine.

The README lists each variable; ``tests/test_settings.py`` fails when one is missing there.
"""

from pathlib import Path

import environ

from leaderboard import broker, browser_policy, logs, rates, sign_in, site_secret
from leaderboard.storage import configuration as storage

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
_secret = site_secret.given(env.str("SECRET_KEY", default=""), debug=DEBUG)
SECRET_KEY = _secret or site_secret.local(DATA_DIR / "secret-key")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
SITE_URL = env.str("SITE_URL", default="http://127.0.0.1:8000")

INSTALLED_APPS = [
    "leaderboard",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.socialaccount.providers.orcid",
    "csp",
    "django_htmx",
    "ninja",
    "simple_history",
]
MIDDLEWARE = [
    "leaderboard.logs.RequestIdMiddleware",
    "leaderboard.operations.metrics.RequestMetricsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "leaderboard.http.PermissionsPolicyMiddleware",
    "leaderboard.http.OddRequestMiddleware",
    "leaderboard.http.UploadLimitMiddleware",
    "leaderboard.http.TooOftenMiddleware",
    "leaderboard.http.BeingComputedMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "leaderboard.people.gate.TimeZoneMiddleware",
    "leaderboard.people.gate.StaffFactorMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "simple_history.middleware.HistoryRequestMiddleware",
]
ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "leaderboard.people.context.account",
            ],
        },
    },
]

# --- data -------------------------------------------------------------------------------------
DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'db.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # WAL lets readers go on while the worker writes; IMMEDIATE makes a writer wait its turn
    # instead of failing when a read transaction is upgraded.
    DATABASES["default"]["OPTIONS"] = {
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
    }
else:
    # To connect anew for every page costs half of a cached one. Another age: `?conn_max_age=0`.
    DATABASES["default"].setdefault("CONN_MAX_AGE", 60)
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

MEDIA_ROOT = Path(env.str("MEDIA_ROOT", default=str(DATA_DIR / "media")))
STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "leaderboard.assets.PlotlyFinder",
]
STORAGES = {
    "default": storage.backend(env),
    "staticfiles": {
        "BACKEND": env.str(
            "STATICFILES_STORAGE",
            default="whitenoise.storage.CompressedManifestStaticFilesStorage",
        )
    },
}

UPLOAD_MAX_BYTES = env.int("UPLOAD_MAX_BYTES", default=20_000_000)
# The upload limit is the only limit, on every route; Django's own is lifted above it.
DATA_UPLOAD_MAX_MEMORY_SIZE = UPLOAD_MAX_BYTES + 1_000_000

# --- people -----------------------------------------------------------------------------------
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
SIGNUP_OPEN = env.bool("SIGNUP_OPEN", default=True)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "home"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]

# Without a mail server mails are printed, and nobody can be asked to confirm an address.
MAIL_CONFIGURED = bool(env.str("EMAIL_URL", default=""))
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.str("MAIL_FROM", default="ClipRank <cliprank@localhost>")

ACCOUNT_ADAPTER = "leaderboard.people.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if MAIL_CONFIGURED else "optional"
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[ClipRank] "
ACCOUNT_EMAIL_NOTIFICATIONS = MAIL_CONFIGURED
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_BLACKLIST = ["admin", "staff", "root", "former-member"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "ClipRank"
STAFF_NEEDS_TOTP = env.bool("STAFF_NEEDS_TOTP", default=not DEBUG)
# How many proxies of one's own stand before the site: whose address counts for rate limits.
ALLAUTH_TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXIES", default=0)
# How often somebody may ask: by account, else by address. A rate that cannot be read stops here.
API_RATE = env.str("API_RATE", default="600/m")
UPLOAD_RATE = env.str("UPLOAD_RATE", default="30/m")
LOGIN_RATE = env.str("LOGIN_RATE", default="10/m")
rates.check(API_RATE, UPLOAD_RATE, LOGIN_RATE)
ACCOUNT_RATE_LIMITS = {"login_failed": rates.wrong_passwords(LOGIN_RATE)}

# For so many days it is kept, as a hash, from which address an account was used; 0: not at all.
MACHINE_DAYS = env.int("MACHINE_DAYS", default=90)

# Sign-in services, each with its client id and secret; what has none is not offered.
SOCIALACCOUNT_ADAPTER = "leaderboard.people.adapters.SocialAccountAdapter"
_services = {
    "github": (env.str("GITHUB_CLIENT_ID", default=""), env.str("GITHUB_SECRET", default="")),
    "orcid": (env.str("ORCID_CLIENT_ID", default=""), env.str("ORCID_SECRET", default="")),
    "huggingface": (
        env.str("HUGGINGFACE_CLIENT_ID", default=""),
        env.str("HUGGINGFACE_SECRET", default=""),
    ),
}
SIGN_IN_SERVICES = sign_in.offered(_services)
SOCIALACCOUNT_PROVIDERS = sign_in.providers(_services)

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

# --- security ---------------------------------------------------------------------------------
CONTENT_SECURITY_POLICY = browser_policy.content(
    forms=(sign_in.HOSTS[name] for name in SIGN_IN_SERVICES),
    media=storage.origins(STORAGES["default"]),
)
HTTPS = env.bool("HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
# Asked from inside, without TLS, by whatever watches the processes.
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
HSTS_SUBDOMAINS = env.bool("HSTS_SUBDOMAINS", default=True)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS and HSTS_SUBDOMAINS
# Whoever leaves hosts below this one out has decided so.
SILENCED_SYSTEM_CHECKS = [] if HSTS_SUBDOMAINS else ["security.W005", "security.W021"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
PERMISSIONS_POLICY = browser_policy.PERMISSIONS
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_HTTPONLY = True
X_FRAME_OPTIONS = "DENY"

# --- work -------------------------------------------------------------------------------------
CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://")
# Before the name of every queue, where several sites share a broker.
QUEUE_PREFIX = env.str("QUEUE_PREFIX", default="")
CELERY_TASK_DEFAULT_QUEUE = f"{QUEUE_PREFIX}default"
CELERY_IMPORTS = ["leaderboard.worker"]
# One process that holds a judge once; more hosts or more workers, not forks of a loaded model.
CELERY_WORKER_POOL = "solo"
# A child of a pool that forks loads its judges before it takes work.
CELERY_WORKER_PROC_ALIVE_TIMEOUT = 900.0
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a broker may be away for longer than a few tries
# RabbitMQ closes the channel of a worker whose run is longer than its consumer_timeout: the worker
# goes on with a new one. Otherwise it would end.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
# A worker that scores sends no heartbeat to its broker; TCP keep-alive finds who is gone.
CELERY_BROKER_HEARTBEAT = 0

# A run ends as failed, for another try, when it takes longer than the first limit and says how far
# it is, and when it takes longer than the second and does not.
RUN_SOFT_SECONDS = env.int("RUN_SOFT_SECONDS", default=14_400)
RUN_HARD_SECONDS = env.int("RUN_HARD_SECONDS", default=15_000)
# Data that a worker process may ask for; 0 is no limit.
WORKER_MEMORY_MB = env.int("WORKER_MEMORY_MB", default=0)
# What was not acknowledged for so long is delivered again: Redis is told so, and of RabbitMQ this
# is what its own configuration says (consumer_timeout; 30 minutes when it says nothing).
_rabbitmq = CELERY_BROKER_URL.startswith(("amqp", "pyamqp"))
BROKER_VISIBILITY_SECONDS = env.int(
    "BROKER_VISIBILITY_SECONDS", default=1800 if _rabbitmq else RUN_HARD_SECONDS + 600
)
if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT = "leaderboard.broker:Transport"
    CELERY_BROKER_URL = "filesystem://localhost"  # kombu asks for a host; nothing uses it
    CELERY_BROKER_TRANSPORT_OPTIONS = broker.in_folder(DATA_DIR / "broker")
else:
    _redis = CELERY_BROKER_URL.startswith(("redis", "sentinel"))
    CELERY_BROKER_TRANSPORT_OPTIONS = broker.on_redis(BROKER_VISIBILITY_SECONDS) if _redis else {}

# A run whose worker has been silent for this long is given to another worker, at most
# RUN_MAX_ATTEMPTS times; then it has failed and says so.
RUN_SILENCE_SECONDS = env.int("RUN_SILENCE_SECONDS", default=120)
RUN_MAX_ATTEMPTS = env.int("RUN_MAX_ATTEMPTS", default=3)
SWEEP_SECONDS = env.int("SWEEP_SECONDS", default=30)
CACHE_DIR = Path(env.str("CACHE_DIR", default=str(DATA_DIR / "cache")))
# Shared by all web processes, so that limits on how often somebody may try hold for all of them.
CACHES = {
    "default": env.cache("CACHE_URL", default=f"filecache://{CACHE_DIR / 'site'}?max_entries=3000")
}
if CACHES["default"]["BACKEND"].endswith("FileBasedCache"):
    CACHES["default"]["BACKEND"] = "leaderboard.file_cache.FileCache"
# A folder, or s3://bucket/prefix for workers on several machines (endpoint and keys as AWS tools
# read them: AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION).
EMBEDDING_CACHE = env.str("EMBEDDING_CACHE", default=str(CACHE_DIR / "embeddings"))
storage.keep_apart(STORAGES["default"], EMBEDDING_CACHE)
CACHE_MAX_BYTES = env.int("CACHE_MAX_BYTES", default=20_000_000_000)

# Language-model judges: the server for those of the catalogue that name none, and a catalogue file
# of the site's own. Their API key is read where it is used, from CHAT_API_KEY; no setting holds it.
CHAT_BASE_URL = env.str("CHAT_BASE_URL", default="")
CHAT_MODEL = env.str("CHAT_MODEL", default="")
CHAT_CONCURRENCY = env.int("CHAT_CONCURRENCY", default=0)
CHAT_TIMEOUT = env.float("CHAT_TIMEOUT", default=0.0)
_chat_catalogue = env.str("CHAT_CATALOGUE", default="")
CHAT_CATALOGUE = Path(_chat_catalogue).resolve() if _chat_catalogue else None

# --- watching ---------------------------------------------------------------------------------
# /metrics is off until somebody gives it a token, or opens it to all who reach the site.
METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
METRICS_OPEN = env.bool("METRICS_OPEN", default=False)
METRICS_DIR = DATA_DIR / "metrics"

LOGGING = logs.configuration(
    env.str("LOG_FORMAT", default="line"), env.str("LOG_LEVEL", default="INFO")
)
SENTRY_DSN = env.str("SENTRY_DSN", default="")
if SENTRY_DSN:
    logs.start_sentry(SENTRY_DSN)

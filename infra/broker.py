"""Whether the queue's broker (Redis) answers; asking never starts it and never waits long."""

from pathlib import Path

from django.conf import settings
from kombu.connection import Connection
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from infra.servers import find_redis

SECONDS = 1.0


def broker_address() -> str:
    """Return where the broker is; empty where it is ours to start and does not run."""
    if not settings.EMBEDDED_REDIS:
        return str(settings.REDIS_URL)
    found = find_redis(Path(settings.DATA_DIR))
    return found.broker_url if found else ""


def broker_answers() -> bool:
    """Say whether the broker takes messages at this moment."""
    address = broker_address()
    limits = {"socket_connect_timeout": SECONDS, "socket_timeout": SECONDS, "max_retries": 0}
    try:
        with Connection(address, transport_options=limits) as connection:  # type: ignore[no-untyped-call]
            return bool(address and connection.default_channel.client.ping())
    except (OSError, OperationalError, RedisError):
        return False

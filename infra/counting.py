"""Counts what happens within a stretch of time, in Redis for all processes; refuses nothing itself.

A count is one round trip. Where Redis does not answer at once, nothing is counted, and it is left
alone for a while, so that what is counted never waits for the counter.
"""

import logging
import time
from functools import cache
from typing import Any

logger = logging.getLogger("juryroom.counting")

PATIENCE = 0.25  # seconds that one count may take
REST = 10.0  # seconds for which Redis is left alone after it did not answer
_silent_until = 0.0


def count_in_window(name: str, seconds: int) -> tuple[int, int] | None:
    """Count one more; return the count in this window and the seconds left of it.

    Return None where nothing can be counted.
    """
    from redis.exceptions import RedisError

    global _silent_until  # noqa: PLW0603 -- each process has one Redis and one mind about it
    now = time.time()
    if time.monotonic() < _silent_until:
        return None
    window, gone = divmod(int(now), seconds)
    key = f"juryroom:count:{name}:{window}"
    try:
        pipe = client().pipeline(transaction=False)
        pipe.incr(key)
        pipe.expire(key, 2 * seconds)
        count, _set = pipe.execute()
    except (RedisError, OSError) as error:
        logger.warning("Redis does not answer, so nothing is counted for a while: %s", error)
        _silent_until = time.monotonic() + REST
        client.cache_clear()  # it may be elsewhere when it is back
        return None
    return int(count), seconds - gone


@cache
def client() -> Any:
    """Return this process's client; counting never starts Redis, and refuses where none runs."""
    from redis import Redis
    from redis.backoff import NoBackoff
    from redis.exceptions import ConnectionError as NoRedis
    from redis.retry import Retry

    from infra.broker import broker_address

    address = broker_address()
    if not address:
        raise NoRedis("no Redis runs here")
    limits = {"socket_timeout": PATIENCE, "socket_connect_timeout": PATIENCE}
    at_once = Retry(NoBackoff(), retries=0)
    return Redis.from_url(client_url(address), retry=at_once, **limits)


def client_url(broker_url: str) -> str:
    """Return the address as this client spells it; Celery spells a socket differently."""
    if not broker_url.startswith("redis+socket://"):
        return broker_url
    return "unix://" + broker_url.removeprefix("redis+socket://").replace("virtual_host=", "db=")

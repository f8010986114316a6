"""A Redis of a test's own, to be stopped and started again."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.broker import broker_answers
from infra.embedded.accounts import Account
from infra.embedded.binaries import REDIS, program_of
from tests.processes import wait_for


@dataclass
class OwnRedis:
    """A Redis without a password on a socket in a folder of its own."""

    folder: Path
    process: "subprocess.Popen[bytes] | None" = None

    @property
    def url(self) -> str:
        return f"redis+socket://{self.folder / 'redis.sock'}?virtual_host=0"

    def start(self) -> None:
        ourselves = Account(os.geteuid(), os.getegid(), switched=False)
        program = program_of(REDIS, ourselves, self.folder)
        options = ("--port", "0", "--unixsocket", str(self.folder / "redis.sock"), "--save", "")
        self.process = subprocess.Popen(
            [program, *options], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        wait_for(broker_answers, what="the test's Redis")

    def stop(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)
            self.process = None


@contextmanager
def own_redis(settings) -> Iterator[OwnRedis]:
    """Let this process, and those that it starts, use a Redis that is the test's own."""
    with tempfile.TemporaryDirectory(prefix="jr-") as folder:
        redis = OwnRedis(Path(folder))
        settings.REDIS_URL = redis.url
        redis.start()
        try:
            yield redis
        finally:
            redis.stop()

"""A receiver of webhooks: a real server with a certificate, known under a public name."""

import contextlib
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from annotation.services import webhook_sending
from tests.infra.websites import PUBLIC, RecordedNetwork, Website, certificate, website

NAME = "hooks.example"
ADDRESS = f"https://{NAME}/juryroom"


@dataclass
class Receiver:
    """The server, and the network on which it stands."""

    site: Website
    network: RecordedNetwork

    def answers(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.site.page("/juryroom", body, status, **headers)

    @property
    def messages(self) -> list[tuple[dict[str, str], bytes]]:
        """Return what came, each with its headers in small letters."""
        headers = [
            {name.lower(): value for name, value in found.items()}
            for _path, found in self.site.asked
        ]
        return list(zip(headers, self.site.sent, strict=True))


@contextlib.contextmanager
def receiver(patch: pytest.MonkeyPatch, folder: Path) -> Iterator[Receiver]:
    """Let webhooks see a network with one receiver."""
    pem = certificate(folder, NAME)
    with website(tls=pem) as site:
        network = RecordedNetwork({NAME: [PUBLIC]}, {(PUBLIC, 443): site.port})
        trust = ssl.create_default_context(cafile=str(pem))
        patch.setattr(webhook_sending, "NETWORK", network.as_network(lambda: trust))
        found = Receiver(site, network)
        found.answers(200, b"thank you")
        yield found

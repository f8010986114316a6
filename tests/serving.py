"""Serves the site over HTTP from within a test: programs ask it as they ask any site."""

import contextlib
import threading
from collections.abc import Iterator
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connections

SIGNALS = (request_started, request_finished)


class Quiet(WSGIRequestHandler):
    """Writes no line for each request."""

    def log_message(self, *_arguments: Any) -> None:
        pass


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Serve in a thread that shares the test's connection, so that all is undone with the test."""
    server = make_server("127.0.0.1", 0, WSGIHandler(), handler_class=Quiet)
    connection = connections["default"]

    def serve() -> None:
        connections["default"] = connection
        server.serve_forever(poll_interval=0.02)

    thread = threading.Thread(target=serve)
    with kept_open(connection):
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


@contextlib.contextmanager
def kept_open(connection: Any) -> Iterator[None]:
    """Let threads use a connection, and no request close it: it is in the test's transaction."""
    connection.inc_thread_sharing()
    for signal in SIGNALS:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in SIGNALS:
            signal.connect(close_old_connections)
        connection.dec_thread_sharing()

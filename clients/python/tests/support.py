"""A real server, in a process of its own, and others that misbehave as scripted."""

from __future__ import annotations

import atexit
import http.client
import os
import re
import subprocess
import sys
import threading
import unittest
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Iterator, TypeVar
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "clients/python/src"))

from stakeport import Client  # noqa: E402 - it is found by the path

TAPE = {
    "MARKET_DATA": f"tape:{ROOT / 'examples/demo.jsonl'}",
    "TAPE_START": "request",
    "TAPE_SPEED": "0.1",
    "PAPER_LATENCY_MS": "0",
}
"""Two markets, `home-away` and `bucks-thunder`, for fifty minutes: nothing depends on how soon a test gets there."""
_LISTENING = re.compile(r"listening.*?(https?://[^\s\"',]+:\d+)", re.IGNORECASE)
# For a machine that is busy with other work.
_SECONDS = 120.0


class Server:
    """The built server, on a free port unless `PORT` names one."""

    def __init__(self, **env: str) -> None:
        own = {"HOST": "127.0.0.1", "PORT": "0", "DATABASE_URL": "memory:", **env}
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self._process = subprocess.Popen(
            ["node", str(ROOT / "dist/server/main.js")],
            env={**inherited, **own},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.url = ""
        self._output: list[str] = []
        self._listens = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._listens.wait(_SECONDS) or self.url == "":
            self.kill()
            raise RuntimeError(f"The server does not listen:\n{''.join(self._output)}")

    @property
    def port(self) -> str:
        return str(urlsplit(self.url).port)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._output.append(line)
            if self.url == "" and (found := _LISTENING.search(line)):
                self.url = found[1]
                self._listens.set()
        self._listens.set()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()


def until_played(url: str) -> None:
    """The recording begins with the first request; its first books come after that."""
    for book in Client(url).books("home-away"):
        if book.fresh and book.asks:
            return


T = TypeVar("T")


class Case(unittest.TestCase):
    def enter(self, manager: AbstractContextManager[T]) -> T:
        """As `enterContext`, which Python has since 3.11."""
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value


_shared: list[Server] = []


@atexit.register
def _end() -> None:
    for server in _shared:
        server.kill()


class ServerCase(Case):
    """Tests at the one server that plays the recording. Each test is a user of its own."""

    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        if not _shared:
            _shared.append(Server(**TAPE))
            until_played(_shared[0].url)
        [cls.server] = _shared

    def client(self) -> Client:
        return self.enter(Client(self.server.url, dev_user=self.id()))


Answer = Callable[[BaseHTTPRequestHandler], None]


@contextmanager
def serving(answer: Answer) -> Iterator[str]:
    """A server on loopback that answers every request so; yields where it listens."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            answer(self)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _answer

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def body_of(request: BaseHTTPRequestHandler) -> bytes:
    return request.rfile.read(int(request.headers.get("content-length", "0")))


def respond(request: BaseHTTPRequestHandler, status: int, body: bytes, headers: Sequence[tuple[str, str]] = ()) -> None:
    request.send_response(status)
    for name, value in [*headers, ("content-length", str(len(body)))]:
        request.send_header(name, value)
    request.end_headers()
    request.wfile.write(body)


def cut(request: BaseHTTPRequestHandler) -> None:
    """Closes the connection without an answer."""
    request.close_connection = True
    request.connection.close()


def forward(request: BaseHTTPRequestHandler, url: str) -> tuple[int, bytes]:
    """What the server there answers to the same request."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=_SECONDS)
    headers = {name: value for name, value in request.headers.items() if name.lower() not in ("host", "connection")}
    connection.request(request.command, request.path, body_of(request), headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    return answer.status, text

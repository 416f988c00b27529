"""Server-sent events that go on after the last one, when the connection breaks or the server starts anew."""

from __future__ import annotations

import http.client
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ._http import Http, log, refused
from .errors import StakeportError, Unreachable

# A server sends something at least every 15 seconds.
_SILENT_SECONDS = 60.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_LATER = (408, 429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Message:
    event: str
    data: str


class _Broken(Exception):
    """The stream is over, or did not begin: it may be asked for again."""

    def __init__(self, cause: StakeportError, after: float | None = None) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.after = after


class Stream:
    """The messages of one stream, for as long as the caller goes on."""

    def __init__(self, http: Http, path: str, query: Mapping[str, object], start_within: float) -> None:
        self._http = http
        self._target = http.target(path, query)
        self._start_within = start_within
        self._last_id = ""
        self._pause = _FIRST_PAUSE

    def messages(self) -> Iterator[Message]:
        """Raises where asking again would not help: refused, or never reached at all."""
        give_up: float | None = time.monotonic() + self._start_within
        while True:
            try:
                for message in self._once():
                    give_up = None
                    yield message
            except _Broken as broken:
                wait = broken.after if broken.after is not None else self._pause * random.uniform(0.75, 1.25)
                if give_up is not None and time.monotonic() + wait > give_up:
                    raise broken.cause from None
                log.info("The stream of %s: %s Again in %.1f s.", self._http.origin, broken, wait)
                time.sleep(wait)
                self._pause = min(self._pause * 2, _LONGEST_PAUSE)

    def _once(self) -> Iterator[Message]:
        """The messages of one connection, which always ends with `_Broken`, or with what is final."""
        more = {"accept": "text/event-stream", **({"last-event-id": self._last_id} if self._last_id else {})}
        connection = self._http.connect(_SILENT_SECONDS)
        try:
            connection.request("GET", self._target, headers=self._http.headers(more))
            answer = connection.getresponse()
            if answer.status != 200:
                failure = refused(answer.status, answer.headers.get("retry-after"), answer.read(), self._http.origin)
                if answer.status in _LATER:
                    raise _Broken(failure, failure.retry_after)
                raise failure
            yield from self._read(answer)
        except (OSError, http.client.HTTPException) as error:
            raise _Broken(Unreachable(f"{self._http.origin} is not reached ({error}). Is the server running there?")) from error
        finally:
            connection.close()
        raise _Broken(Unreachable("The server ended the stream."))

    def _read(self, answer: http.client.HTTPResponse) -> Iterator[Message]:
        event, last_id = "message", self._last_id
        data: list[str] = []
        # A line that the connection broke in the middle has no end; its block is not used.
        while (line := answer.readline()).endswith(b"\n"):
            self._pause = _FIRST_PAUSE
            text = line.decode().rstrip("\r\n")
            if text == "":
                self._last_id = last_id
                if data:
                    yield Message(event, "\n".join(data))
                event, data = "message", []
                continue
            name, _, value = text.partition(":")
            value = value.removeprefix(" ")
            if name == "id":
                last_id = value
            elif name == "event":
                event = value
            elif name == "data":
                data.append(value)

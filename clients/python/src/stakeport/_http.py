"""Requests to one server: sent once, or again with the same key until the outcome is known."""

from __future__ import annotations

import http.client
import json
import logging
import random
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from ._wire import parsed, to_json
from .errors import InvalidMember, OutcomeUnknown, Refused, StakeportError, Unreachable
from .problems import WHAT_TO_DO

log = logging.getLogger("stakeport")

# A server closes a connection that is idle for five seconds.
_IDLE_SECONDS = 3.0
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_TRANSIENT = (408, 429, 500, 502, 503, 504)
# Refused before anything could be recorded, although the status is one of a server that failed.
_NOT_DONE = ("market-data-unavailable", "paper-elsewhere")
# What a repetition may be refused for, although the first was done.
_UNDECIDED = (401, 403, 408, 412, 413, 415, 429)


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    has_body: bool = False
    key: str | None = None
    if_version: int | None = None


@dataclass(frozen=True)
class _Attempt:
    """What came of sending it once: an answer, or why there is none."""

    failure: StakeportError | None
    text: bytes = b""
    is_final: bool = True
    in_doubt: bool = False
    """Whether it may have been done."""
    retry_after: float | None = None


class Http:
    """The connections to one server. Any number of threads may share it."""

    def __init__(self, url: str, api_key: str | None, timeout: float, retry_for: float, user: str | None) -> None:
        address = urlsplit(url.strip())
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"The address of a server looks like http://127.0.0.1:8080, not like {url!r}")
        if api_key and address.scheme == "http" and address.hostname not in _LOOPBACK:
            raise ValueError(f"The key would be sent to {address.hostname} unencrypted: use https, or http to this machine")
        self._is_secure = address.scheme == "https"
        self._host, self._port, self._base = address.hostname, address.port, address.path.rstrip("/")
        self.origin = f"{address.scheme}://{address.netloc}"
        self._timeout, self._retry_for = timeout, retry_for
        self._common = {"accept": "application/json", "user-agent": "stakeport-python", "accept-encoding": "identity"}
        if api_key:
            self._common["authorization"] = f"Bearer {api_key}"
        if user:
            self._common["x-dev-user"] = user
        self._local = threading.local()
        self._tls = ssl.create_default_context() if self._is_secure else None

    def connect(self, timeout: float) -> http.client.HTTPConnection:
        if self._tls is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)

    def target(self, path: str, query: Mapping[str, object]) -> str:
        given = {name: _query_text(value, name) for name, value in query.items() if value is not None}
        return f"{self._base}{path}{'?' if given else ''}{urlencode(given)}"

    def headers(self, more: Mapping[str, str]) -> dict[str, str]:
        return {**self._common, **more}

    def close(self) -> None:
        """Closes the connection of this thread. The next request opens one again."""
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            connection.close()
        self._local.connection = None

    def send(self, request: Request) -> bytes:
        """The answer; it is asked for again while it may help, for as long as `retry_for` says."""
        body = to_bytes(request.body) if request.has_body else None
        target = self.target(request.path, request.query)
        headers = self.headers(
            {
                **({"content-type": "application/json"} if body is not None else {}),
                **({"idempotency-key": request.key} if request.key is not None else {}),
                **({"if-match": f'"{request.if_version}"'} if request.if_version is not None else {}),
            }
        )
        what = f"{request.method} {request.path}"
        return self._until_known(what, request, lambda: self._once(request.method, target, body, headers))

    def _until_known(self, what: str, request: Request, once: Callable[[], _Attempt]) -> bytes:
        end = time.monotonic() + self._retry_for
        pause, in_doubt = _FIRST_PAUSE, False
        while True:
            attempt = once()
            if attempt.failure is None:
                return attempt.text
            in_doubt = in_doubt or (attempt.in_doubt and request.method != "GET")
            # A little more or less, so that clients that failed together do not come back together.
            wait = pause * random.uniform(0.75, 1.25) if attempt.retry_after is None else attempt.retry_after
            if attempt.is_final or time.monotonic() + wait > end:
                if in_doubt and not _decides(attempt):
                    raise OutcomeUnknown(f"{what}: {attempt.failure}", request.key) from attempt.failure
                raise attempt.failure
            log.info("%s: %s Again in %.1f s.", what, attempt.failure, wait)
            time.sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _once(self, method: str, target: str, body: bytes | None, headers: Mapping[str, str]) -> _Attempt:
        sent = False
        try:
            connection = self._connection()
            if connection.sock is None:
                connection.connect()
            sent = True
            connection.request(method, target, body, dict(headers))
            answer = connection.getresponse()
            text = answer.read()
            self._local.used = time.monotonic()
        except (OSError, http.client.HTTPException) as error:
            self.close()
            why = f"{type(error).__name__}{f': {error}' if str(error) else ''}"
            if not sent:
                asked = f"{self.origin} is not reached ({why}). Is the server running there? Nothing was sent."
                return _Attempt(Unreachable(asked), is_final=isinstance(error, ssl.SSLCertVerificationError))
            return _Attempt(Unreachable(f"The answer of {self.origin} was lost ({why})."), is_final=False, in_doubt=True)
        except BaseException:
            # A ^C in the middle of an answer: the next request must not read the rest of it.
            self.close()
            raise
        if answer.status < 300:
            return _Attempt(None, text)
        return _attempt_of(answer.status, answer.headers.get("retry-after"), text, self.origin)

    def _connection(self) -> http.client.HTTPConnection:
        connection: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if connection is not None and time.monotonic() - self._local.used < _IDLE_SECONDS:
            return connection
        self.close()
        self._local.connection = connection = self.connect(self._timeout)
        self._local.used = time.monotonic()
        return connection


def _decides(attempt: _Attempt) -> bool:
    """Whether it says what became of the request, although an earlier answer was lost."""
    failure = attempt.failure
    return isinstance(failure, Refused) and attempt.is_final and failure.status not in _UNDECIDED


def _attempt_of(status: int, after: str | None, text: bytes, origin: str) -> _Attempt:
    failure = refused(status, after, text, origin)
    in_progress = failure.code == "idempotency-in-progress"
    return _Attempt(
        failure,
        is_final=status not in _TRANSIENT and not in_progress,
        in_doubt=in_progress or (status >= 500 and failure.code not in _NOT_DONE),
        retry_after=failure.retry_after,
    )


def refused(status: int, after: str | None, text: bytes, origin: str) -> Refused:
    """The error of an answer that is no success."""
    # A date, which a proxy may send, is no reason to wait long.
    retry_after = float(after) if after is not None and after.isdecimal() else None
    try:
        problem = parsed(text)
        code, detail = str(problem["type"]).rsplit("/", 1)[-1], str(problem["detail"])
    except (ValueError, KeyError, TypeError):
        detail = f"{origin} does not answer as a stakeport server does."
        return Refused("unexplained", status, detail, what_to_do="Is the address right?", retry_after=retry_after)
    return Refused(
        code,
        status,
        detail,
        what_to_do=WHAT_TO_DO.get(code, ""),
        errors=[InvalidMember(str(one["pointer"]), str(one["detail"])) for one in problem.get("errors", [])],
        request_id=problem.get("instance"),
        retry_after=retry_after,
    )


def fresh_key() -> str:
    """A key that no other request has."""
    return str(uuid.uuid4())


def to_bytes(body: object) -> bytes:
    return json.dumps(to_json(body), separators=(",", ":")).encode()


def _query_text(value: object, name: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(to_json(value, name))

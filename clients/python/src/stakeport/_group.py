"""What the groups of operations are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import quote as _quote

from ._http import Http, Request, fresh_key
from ._wire import UNSET, Model, parsed

__all__ = ["Group", "Http", "Pages", "quote"]

Answer = TypeVar("Answer", bound=Model)
Item = TypeVar("Item")
Page = TypeVar("Page", bound=Model)


def quote(part: str) -> str:
    """A part of a path."""
    return _quote(part, safe="")


class Pages(Generic[Item, Page]):
    """A list of the service: `for item in pages` reads page after page. Each loop begins anew."""

    def __init__(self, ask: Callable[[str | None], Page]) -> None:
        self._ask = ask

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from getattr(page, "data")

    def pages(self) -> Iterator[Page]:
        """Page by page, with what each says besides its items."""
        cursor: str | None = None
        while True:
            page = self._ask(cursor)
            yield page
            cursor = getattr(page, "next_cursor")
            if cursor is None:
                return

    def first(self) -> Page:
        """The first page alone."""
        return self._ask(None)


class Group:
    """Operations that belong together."""

    def __init__(self, http: Http) -> None:
        self._http = http

    def _send(self, request: Request) -> bytes:
        return self._http.send(request)

    def _call(
        self,
        answer: type[Answer],
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = UNSET,
        idempotency_key: str | None = None,
        if_version: int | None = None,
        is_keyed: bool = False,
    ) -> Answer:
        key = idempotency_key if idempotency_key is not None or not is_keyed else fresh_key()
        request = Request(method, path, query or {}, body, body is not UNSET, key, if_version)
        return answer.from_json(parsed(self._send(request)))

    def _pages(self, page: type[Page], path: str, *, query: Mapping[str, object]) -> Pages[Any, Page]:
        return Pages(lambda cursor: self._call(page, "GET", path, query={**query, "cursor": cursor}))

    def _text(self, path: str, *, query: Mapping[str, object]) -> str:
        return self._send(Request("GET", path, query)).decode()

"""The client of one server."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from ._http import Http
from ._streams import Message, Stream
from ._wire import Model, parsed
from .errors import EventsMissed
from .models import BookUpdate, Event, EventType, GapUpdate, Market, MarketUpdate, ResultUpdate, TradeUpdate
from .operations import Groups

_LOCAL = "http://127.0.0.1:8080"
_UPDATES: dict[str, type[Model]] = {
    "market": Market,
    "book": BookUpdate,
    "trade": TradeUpdate,
    "result": ResultUpdate,
    "gap": GapUpdate,
}

C = TypeVar("C", bound="Client")


class Client(Groups):
    """
    A stakeport server, with its operations in groups: `client.orders.place(...)`, `client.markets.list(...)`.

    Requests that change something carry an idempotency key, made once a call. Where the connection breaks, or the server is busy,
    they are sent again with the same key: whatever happens, an order is placed once.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        retry_for: float = 90.0,
        dev_user: str | None = None,
    ) -> None:
        """
        url: Where the server listens. By default what STAKEPORT_URL says, with the key in STAKEPORT_KEY, else http://127.0.0.1:8080.
        api_key: Sent to that address alone. None for a server that trusts every caller (AUTH_MODE=dev).
        timeout: How many seconds one try may be silent.
        retry_for: For how many seconds a request is tried again; 0 for once.
        dev_user: Who to act as, at a server that trusts every caller.
        """
        if url is None and os.environ.get("STAKEPORT_URL"):
            url, api_key = os.environ["STAKEPORT_URL"], api_key or os.environ.get("STAKEPORT_KEY") or None
        self._http = Http(url or _LOCAL, api_key, timeout, retry_for, dev_user)
        self._retry_for = retry_for
        super().__init__(self._http)

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self._http.origin!r})"

    def close(self) -> None:
        """Closes the connection that this thread has open."""
        self._http.close()

    def events(self, *, after: int | str | None = "head", types: Iterable[EventType] | None = None) -> Iterator[Event]:
        """
        Every event of the account, each once and in order, as it happens; it goes on after a break and a restart of the server.

        after: The number of the event after which to begin (`event.seq`); "head" for what happens from now on, None for the oldest
        that is kept. Keep the number of the last event that you are done with, and begin there when your program starts again.
        types: Only events of these types.

        Raises EventsMissed where events after that number are not kept any more.
        """
        query = {"after": after, "types": None if types is None else ",".join(types)}
        floor = ""
        for message in self._stream("/v1/events/stream", query):
            if message.event == "hello":
                floor = str(parsed(message.data)["floor"])
            elif message.event == "reset":
                raise EventsMissed(floor)
            elif "." in message.event:
                yield Event.from_json(parsed(message.data))

    def follow(self, markets: str | Sequence[str], *, depth: int = 1, venue: str | None = None) -> Iterator[MarketUpdate]:
        """
        What happens at up to 100 markets, by id or slug: markets, books, trades, results and gaps. First the market and its book
        as they are; a slow reader gets the newest book, never a backlog. After a break what was missed comes later, or a gap.

        depth: How many of the best levels of a book are sent.
        """
        names = markets if isinstance(markets, str) else ",".join(markets)
        query = {"market": names, "depth": depth, "venue": venue}
        for message in self._stream("/v1/exchange/markets/stream", query):
            update = _UPDATES.get(message.event)
            if update is not None:
                yield cast(MarketUpdate, update.from_json(parsed(message.data)))

    def books(self, markets: str | Sequence[str], *, depth: int = 1, venue: str | None = None) -> Iterator[BookUpdate]:
        """The books of up to 100 markets: each as it is now, and again whenever its best levels change. `fresh` says whether to trust it."""
        for update in self.follow(markets, depth=depth, venue=venue):
            if isinstance(update, BookUpdate):
                yield update

    def _stream(self, path: str, query: Mapping[str, object]) -> Iterator[Message]:
        return Stream(self._http, path, query, self._retry_for).messages()

"""What goes wrong, by what is known of it: refused, not reached, or an outcome that nobody knows yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class StakeportError(Exception):
    """Any failure of a request. `str()` says what is wrong and what to do."""


@dataclass(frozen=True)
class InvalidMember:
    """What is wrong with one member of a request."""

    pointer: str
    detail: str


class Refused(StakeportError):
    """The service said no, and did nothing."""

    def __init__(
        self,
        code: str,
        status: int,
        detail: str,
        *,
        what_to_do: str = "",
        errors: Sequence[InvalidMember] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        self.code = code
        """What is wrong, for programs: `validation-failed`, `strategy-not-found`."""
        self.status = status
        """The HTTP status."""
        self.detail = detail
        """What is wrong, for people."""
        self.what_to_do = what_to_do
        """What to do about such a problem, in general."""
        self.errors = tuple(errors)
        """Each member that is wrong; empty where none is."""
        self.request_id = request_id
        """Names the request in the log of the server."""
        self.retry_after = retry_after
        """After how many seconds to try again, where the server says so."""
        # Several are told one by one: the detail of the whole says no more.
        told = "; ".join(f"{one.pointer} {one.detail}" for one in self.errors) or detail
        super().__init__(f"{code} ({status}): {told}{f' {what_to_do}' if what_to_do else ''}")


class Unreachable(StakeportError):
    """No answer came, and nothing was done: it may be tried again."""


class OutcomeUnknown(StakeportError):
    """
    The request was sent, no answer came, and every repetition was used up: it may have been done. A silence is not a no.

    Do not send it anew: ask with the same key what became of it, as in
    `client.orders.place(..., idempotency_key=error.idempotency_key)`. That does nothing twice.
    """

    def __init__(self, what: str, idempotency_key: str | None) -> None:
        self.idempotency_key = idempotency_key
        """The key of the request; None where it may be repeated without one."""
        again = "Make the same call again" + (
            f" with idempotency_key={idempotency_key!r}" if idempotency_key is not None else ", or read what is there"
        )
        super().__init__(f"{what}: it is not known whether it was done. {again}: that does nothing twice.")


class EventsMissed(StakeportError):
    """The events after the last one are not kept any more, or the log is another one: read orders and portfolio anew."""

    def __init__(self, floor: str) -> None:
        self.floor = floor
        """The number of the first event that is kept: go on from the one before."""
        super().__init__(
            "Events after the last one are not kept any more. Read orders and portfolio anew, then go on with"
            " events(after=None), which begins with the oldest event that is kept, or after='head'."
        )

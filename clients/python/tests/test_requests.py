"""What a request becomes when answers are lost, late, or no."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import Any

from support import Case, ServerCase, body_of, cut, forward, respond, serving

from stakeport import Client, OutcomeUnknown, Refused, Unreachable

ORDER: dict[str, Any] = {"market_id": "home-away", "token": "YES", "price": "0.6", "size_usdc": 10}


def problem(code: str, status: int) -> bytes:
    members = {"type": f"/problems/{code}", "title": code, "status": status, "detail": f"It is {code}.", "instance": "r1"}
    return json.dumps(members).encode()


class Lost(ServerCase):
    def place(self, lost: int, retry_for: float, **more: Any) -> tuple[int, Any]:
        """Places an order through a proxy that cuts the connection after the server acted: how many orders it made."""
        seen: list[str] = []

        def answer(request: BaseHTTPRequestHandler) -> None:
            seen.append(request.headers["idempotency-key"])
            status, text = forward(request, self.server.url)
            if len(seen) <= lost:
                cut(request)
            else:
                respond(request, status, text)

        outcome: Any
        with serving(answer) as url, Client(url, retry_for=retry_for, dev_user=self.id()) as client:
            try:
                outcome = client.orders.place(**ORDER, **more)
            except OutcomeUnknown as error:
                outcome = error
        self.assertEqual(1, len(set(seen)))
        direct = self.client()
        if isinstance(outcome, OutcomeUnknown):
            again = direct.orders.place(**ORDER, idempotency_key=outcome.idempotency_key)
            self.assertEqual(again.id, next(iter(direct.orders.list())).id)
        return len(list(direct.orders.list())), outcome

    def test_an_order_whose_answer_is_lost_twice_is_one_order(self) -> None:
        orders, order = self.place(2, 90)
        self.assertEqual((1, "filled"), (orders, order.status))

    def test_a_silence_tells_the_key_that_asks_again(self) -> None:
        orders, error = self.place(1, 0)
        self.assertEqual(1, orders)
        self.assertIn(f"idempotency_key='{error.idempotency_key}'", str(error))

    def test_a_key_of_the_caller_is_the_key_of_the_order(self) -> None:
        _, error = self.place(1, 0, idempotency_key="mine")
        self.assertEqual("mine", error.idempotency_key)


class Answers(Case):
    """A server that answers with these, one after another."""

    def ask(self, *answers: tuple[str, int, str], retry_for: float = 90) -> tuple[list[str], Any]:
        keys: list[str] = []

        def answer(request: BaseHTTPRequestHandler) -> None:
            body_of(request)
            code, status, after = answers[min(len(keys), len(answers) - 1)]
            keys.append(request.headers["idempotency-key"])
            if code == "":
                return cut(request)
            respond(request, status, problem(code, status), [("retry-after", after)] if after else [])

        with serving(answer) as url, Client(url, retry_for=retry_for) as client:
            try:
                return keys, client.orders.place(**ORDER)
            except Exception as error:
                return keys, error

    def test_a_busy_server_is_asked_again_when_it_says(self) -> None:
        no = ("strategy-not-found", 404, "")
        for answers in ([("unavailable", 503, "0")], [("too-many-writes", 429, "0")], [("idempotency-in-progress", 409, "0")]):
            keys, error = self.ask(*answers, no)
            self.assertEqual(2, len(keys))
            self.assertEqual(1, len(set(keys)))
            self.assertEqual(("strategy-not-found", 404, "r1"), (error.code, error.status, error.request_id))

    def test_who_waits_longer_than_wanted_is_told_at_once(self) -> None:
        keys, error = self.ask(("too-many-writes", 429, "3600"))
        self.assertEqual((1, Refused, 3600), (len(keys), type(error), error.retry_after))
        self.assertIn("It is too-many-writes.", str(error))

    def test_a_no_after_a_lost_answer_does_not_make_it_known(self) -> None:
        for code, status in (("unauthenticated", 401), ("too-many-writes", 429), ("internal-error", 500)):
            _, error = self.ask(("", 0, ""), (code, status, "3600"))
            self.assertIsInstance(error, OutcomeUnknown)

    def test_a_server_that_is_not_there_was_sent_nothing(self) -> None:
        with serving(cut) as url:
            pass  # nobody listens there any more
        with self.assertRaisesRegex(Unreachable, "Nothing was sent"):
            Client(url, retry_for=0).orders.place(**ORDER)

    def test_what_is_no_stakeport_says_so(self) -> None:
        with serving(lambda request: respond(request, 404, b"<html>")) as url, Client(url) as client:
            with self.assertRaisesRegex(Refused, "not answer as a stakeport server"):
                client.portfolio.get()

    def test_a_key_is_not_sent_in_the_open(self) -> None:
        with self.assertRaisesRegex(ValueError, "unencrypted"):
            Client("http://example.org", "sp_key")

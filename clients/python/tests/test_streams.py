"""Streams that break, and servers that start anew."""

from __future__ import annotations

import tempfile
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path

from support import TAPE, Case, Server, respond, serving

from stakeport import Client, EventsMissed, Refused
from stakeport.models import GapUpdate

EVENT = '{{"id":"1","seq":"{seq}","type":"order.fill","at":"2030-01-31T12:00:00.000Z","text":"","data":{{}}}}'


def block(seq: int) -> str:
    return f"id: {seq}\nevent: order.fill\ndata: {EVENT.format(seq=seq)}\n\n"


class Broken(Case):
    def read(self, *connections: str) -> tuple[Client, list[str | None]]:
        """A client of a server that sends these, one a connection; and the last ids that it was asked with."""
        asked: list[str | None] = []

        def answer(request: BaseHTTPRequestHandler) -> None:
            text = connections[min(len(asked), len(connections) - 1)]
            asked.append(request.headers.get("last-event-id"))
            if text == "":
                return respond(request, 401, b'{"type":"/problems/unauthenticated","detail":"No."}')
            request.send_response(200)
            request.send_header("content-type", "text/event-stream")
            request.end_headers()
            request.wfile.write(text.encode())
            request.close_connection = True

        return Client(self.enter(serving(answer))), asked

    def test_it_goes_on_after_the_last_event_that_was_whole(self) -> None:
        start = 'retry: 1\n\nevent: hello\ndata: {"head":"41","floor":"1"}\n\nid: 41\n\n: comment\n\n'
        half = "id: 43\nevent: order.fill\ndata: {"
        client, asked = self.read(start, start + block(42) + half, block(43) + block(44), "")
        with self.assertRaisesRegex(Refused, "unauthenticated"):
            seen = []
            for event in client.events():
                seen.append(event.seq)
        self.assertEqual(["42", "43", "44"], seen)
        self.assertEqual([None, "41", "42", "44"], asked)

    def test_events_that_are_gone_are_told(self) -> None:
        client, _ = self.read('event: hello\ndata: {"head":"90","floor":"50"}\n\nevent: reset\ndata: {}\n\n' + block(50))
        with self.assertRaisesRegex(EventsMissed, "portfolio anew") as caught:
            next(client.events(after=3))
        self.assertEqual("50", caught.exception.floor)


class Restarted(Case):
    def test_events_and_books_go_on_at_a_server_that_was_killed(self) -> None:
        folder = self.enter(tempfile.TemporaryDirectory())
        env = {**TAPE, "DATABASE_URL": f"sqlite:{Path(folder) / 'orders.db'}"}
        server = Server(**env)
        port, client = server.port, self.enter(Client(server.url))

        def place() -> str:
            return client.orders.place(market_id="home-away", token="YES", price="0.1", size_usdc=10).id

        first = place()
        events, updates, books = client.events(after=0), client.follow("home-away"), client.books(["bucks-thunder"])
        self.assertEqual("order.requested", next(events).type)
        self.assertEqual("home-away", getattr(next(updates), "slug"))
        self.assertTrue(next(books).bids)
        server.kill()
        server = Server(**{**env, "PORT": port})
        try:
            second = place()
            seqs, asked = [1], []
            while second not in asked:
                event = next(events)
                seqs.append(int(event.seq))
                if event.type == "order.requested":
                    asked.append(getattr(event.data, "order").id)
            self.assertNotIn(first, asked)
            self.assertEqual(list(range(1, len(seqs) + 1)), seqs)
            self.assertTrue(any(isinstance(update, GapUpdate) and update.reason == "restarted" for update in updates))
            self.assertTrue(next(books).bids)
        finally:
            for stream in (events, updates, books):
                getattr(stream, "close")()
            server.kill()


class Threads(Case):
    def test_threads_share_a_client(self) -> None:
        with serving(lambda request: respond(request, 200, b'{"data":[]}')) as url:
            client, answers = Client(url), []

            def read() -> None:
                with client:
                    answers.append(client.webhooks.list().data)

            threads = [threading.Thread(target=read) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        self.assertEqual([()] * 4, answers)

"""The operations, at a server that plays two markets."""

from __future__ import annotations

import csv
import io
import math
import unittest
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from support import ServerCase

from stakeport import UNSET, Refused
from stakeport._wire import to_json
from stakeport.models import Event, EventOrder, Market, Order, RulesInput

RULES: RulesInput = {"sizing": {"method": "flat", "value": Decimal("12.5")}, "limits": {"max_bets_per_outcome": None}}


class Operations(ServerCase):
    def setUp(self) -> None:
        self.user = self.client()

    def strategy(self, **more: Any) -> Any:
        members: dict[str, Any] = {"name": "Mine", "sport": "soccer", "rules": RULES, "bankroll_cap": 1000, "stake_cap": "50", **more}
        return self.user.strategies.create(**members)

    def test_an_order_has_exact_amounts_and_moments_with_a_zone(self) -> None:
        order = self.user.orders.place(market_id="home-away", token="YES", price=Decimal("0.6"), size_usdc=14)
        self.assertEqual((Decimal("0.6"), Decimal("14")), (order.price, order.size_usdc))
        self.assertEqual(timedelta(0), order.placed_at.utcoffset())
        self.assertEqual(order, self.user.orders.get(order.id))
        self.assertEqual(order, Order.from_json(order.to_json()))

    def test_a_list_is_read_page_after_page(self) -> None:
        placed = [
            self.user.orders.place(market_id="home-away", token="YES", price="0.1", size_usdc=size).id for size in range(1, 6)
        ]
        orders = self.user.orders.list(page_size=2, order="oldest", placed_after=datetime(2020, 1, 1, tzinfo=timezone.utc))
        self.assertEqual(placed, [order.id for order in orders])
        self.assertEqual([2, 2, 1], [len(page.data) for page in orders.pages()])
        self.assertEqual(placed[:2], [order.id for order in orders.first().data])

    def test_a_refusal_says_what_is_wrong_and_what_to_do(self) -> None:
        with self.assertRaises(Refused) as caught:
            self.user.orders.place(market_id="home-away", token="YES", price="1.5", size_usdc=10)
        error = caught.exception
        self.assertEqual(("validation-failed", 422, "/price"), (error.code, error.status, error.errors[0].pointer))
        self.assertIn(error.errors[0].detail, str(error))
        self.assertNotEqual("", error.what_to_do)
        with self.assertRaisesRegex(Refused, r"not-found \(404\)"):
            self.user.orders.get("00000000-0000-7000-8000-000000000000")

    def test_a_float_is_sent_as_it_prints(self) -> None:
        order = self.user.orders.place(market_id="home-away", token="YES", price=0.57, size_usdc=10.1)
        self.assertEqual((Decimal("0.57"), Decimal("10.1")), (order.price, order.size_usdc))
        self.assertEqual(["1000", "0.000001", "0.57"], [to_json(value) for value in (1e3, 1e-6, 0.57)])

    def test_a_float_of_a_calculation_is_refused_before_it_is_sent(self) -> None:
        with self.assertRaisesRegex(ValueError, r"price is 0\.30000000000000004, with more than 6 decimals: give round\(value, 4\)"):
            self.user.orders.place(market_id="home-away", token="YES", price=0.1 + 0.2, size_usdc=10)
        for value in (math.nan, math.inf, Decimal("NaN")):
            with self.assertRaisesRegex(ValueError, "rules/sizing/value is .*, which is no number"):
                self.strategy(rules={"sizing": {"method": "flat", "value": value}})

    def test_what_is_absent_is_not_null(self) -> None:
        strategy = self.strategy()
        limits = strategy.rules.limits
        self.assertEqual((None, UNSET), (limits.max_bets_per_outcome, limits.max_open))
        self.assertEqual(Decimal("12.5"), strategy.rules.sizing.value)
        changed = self.user.strategies.update(strategy.id, stake_cap=25, if_version=strategy.version)
        self.assertEqual((2, "Mine", strategy.rules), (changed.version, changed.name, changed.rules))
        with self.assertRaisesRegex(Refused, "412"):
            self.user.strategies.update(strategy.id, stake_cap=30, if_version=strategy.version)
        again = self.user.strategies.update(strategy.id, rules=changed.rules)
        self.assertEqual(changed.rules, again.rules)

    def test_every_group_reads(self) -> None:
        client, strategy = self.user, self.strategy()
        order = client.orders.place(market_id="home-away", token="YES", price="0.9", size_usdc=10, strategy_id=strategy.id)
        tomorrow = order.placed_at + timedelta(days=1)  # in the time of the recording
        client.signals.put("model", "home-away", probabilities={"Home": "0.61"}, expires_at=tomorrow)
        [signal] = client.signals.list(name="model")
        self.assertEqual(Decimal("0.61"), signal.probabilities["Home"])
        [market] = client.markets.list(text="Home", prices=True)
        self.assertEqual("home-away", market.slug)
        self.assertIsInstance(client.markets.get("home-away"), Market)
        self.assertGreater(client.markets.get_book("home-away").asks[0].price, 0)
        self.assertEqual([1, 2], [one.seq for one in client.orders.list_events(order.id)][:2])
        self.assertIsInstance(client.portfolio.get().cash_usdc, Decimal)
        self.assertEqual(Decimal(100), client.limits.set(order_usdc=100, price_band=None).order_usdc)
        self.assertEqual("active", client.trading.get().effective)
        page = client.event_log.list(types="order.requested")
        self.assertIsInstance(page.data[0].data, EventOrder)
        rows = list(csv.DictReader(io.StringIO(client.export.orders())))
        self.assertEqual(order.id, rows[0]["id"])
        self.assertEqual([strategy.id], [one.id for one in client.strategies.list()])
        self.assertEqual([order.filled_size_usdc], [bet.stake_usdc for bet in client.bets.list()])
        self.assertEqual([[], []], [list(client.trading.list()), list(client.approvals.list())])
        self.assertIsInstance(client.portfolio.list_history().first().data, tuple)
        self.assertIsInstance(client.bets.list_results().first().covered.bets, int)
        answers = [client.bets.read_result_plots(), client.alarms.list(), client.session.get()]
        self.assertEqual(answers, [type(one).from_json(one.to_json()) for one in answers])


class Versions(unittest.TestCase):
    def test_members_and_words_of_a_later_version_do_no_harm(self) -> None:
        wire: dict[str, Any] = {
            "id": "1", "seq": "7", "type": "order.teleported", "at": "2030-01-31T12:00:00.000Z", "text": "", "data": {"beam": 1}, "x": 2,
        }  # fmt: skip
        event = Event.from_json(wire)
        self.assertEqual(("order.teleported", {"beam": 1}), (event.type, event.data))
        self.assertEqual(datetime(2030, 1, 31, 12, tzinfo=timezone.utc), event.at)
        self.assertEqual({**wire, "x": None}, {**event.to_json(), "x": None})

# Made from the OpenAPI document by `npm run python:generate`. Changes here are lost.
"""The operations of the service: a class for each of its groups, a method for each operation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from ._group import Group, Http, Pages, quote
from ._wire import UNSET, Amount, Unset
from .models import (
    Alarms,
    Approval,
    ApprovalList,
    ApprovalState,
    Bet,
    BetList,
    BetOrder,
    BetResult,
    Book,
    Caller,
    CreatedKey,
    CreatedWebhook,
    Decision,
    DecisionList,
    Delivery,
    DeliveryList,
    EquityPoint,
    EquityPointList,
    Evaluation,
    EventPage,
    EventType,
    Explanation,
    Key,
    KeyList,
    KeyScope,
    Limits,
    ListedMarket,
    Market,
    MarketHistory,
    MarketHistoryPoint,
    MarketKind,
    MarketList,
    MarketStatus,
    NtfyInput,
    Order,
    OrderEvent,
    OrderEventList,
    OrderList,
    PaperReset,
    Ping,
    Portfolio,
    ReplayWebhookAfterInput,
    ReplayWebhookSeqInput,
    Result,
    ResultBy,
    ResultList,
    ResultPlots,
    RevokedKey,
    Rules,
    RulesInput,
    ServerList,
    Signal,
    SignalInput,
    SignalList,
    SkipCounts,
    StoredSignals,
    Strategy,
    StrategyInput,
    StrategyList,
    TelegramInput,
    TelegramQuietHoursInput,
    TimeInForce,
    TradingHistory,
    TradingNow,
    TradingSet,
    TradingState,
    Webhook,
    WebhookInput,
    WebhookList,
    WebhookStatus,
    WebhookWithSecret,
)


class StrategiesGroup(Group):
    """Rules by which to bet, with their caps; what they decided, and why."""

    def create(
        self,
        *,
        name: str,
        sport: str,
        rules: RulesInput | Rules,
        bankroll_cap: Amount,
        stake_cap: Amount,
        is_paused: bool | Unset = UNSET,
        paper_only: bool | Unset = UNSET,
        automation: Literal["off", "approve", "auto"] | Unset = UNSET,
        automation_paper: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Strategy:
        """Create a strategy.

        It starts unpaused and on paper only, unless `is_paused` or `paper_only` say otherwise. Repeated with the same
        Idempotency-Key, the answer is the strategy as it is now, deleted or not.

        name: The name of the strategy.
        sport: The sport that the strategy is for.
        bankroll_cap: The most that may be at work at once, in USDC: what working orders may cost, fees included, and
        what held shares cost. Greater than 0, with at most 6 decimals.
        stake_cap: The most `size_usdc` of one BUY, in USDC. Greater than 0, with at most 6 decimals.
        is_paused: True: every order under it is denied. False by default.
        paper_only: True: no order with real money, regardless of the order. True by default.
        automation: `auto` trades by its rules, `approve` once a person has approved each bet, `off` not by itself.
        `off` by default; the others need `rules.outcome`.
        automation_paper: True: what it orders by itself, or after an approval, is on paper. False needs an API key
        with the scope `orders:live`, and ends when that key is revoked. True by default.
        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Strategy,
            "POST",
            "/v1/strategies",
            body={
                "name": name,
                "sport": sport,
                "rules": rules,
                "bankroll_cap": bankroll_cap,
                "stake_cap": stake_cap,
                "is_paused": is_paused,
                "paper_only": paper_only,
                "automation": automation,
                "automation_paper": automation_paper,
            },
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def list(
        self,
        *,
        sport: str | None = None,
        is_paused: bool | None = None,
        page_size: int | None = None,
    ) -> Pages[Strategy, StrategyList]:
        """List strategies, newest first.

        Those of the account that are not archived, each in its current version.

        sport: Only strategies for this sport.
        is_paused: Only those that are paused, or that are not.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            StrategyList,
            "/v1/strategies",
            query={"sport": sport, "is_paused": is_paused, "limit": page_size},
        )

    def validate(
        self,
        *,
        name: str,
        sport: str,
        rules: RulesInput | Rules,
        bankroll_cap: Amount,
        stake_cap: Amount,
        is_paused: bool | Unset = UNSET,
        paper_only: bool | Unset = UNSET,
        automation: Literal["off", "approve", "auto"] | Unset = UNSET,
        automation_paper: bool | Unset = UNSET,
    ) -> Explanation:
        """Say what a strategy would do.

        The body of a creation is checked and explained, a sentence for each member. Nothing is created.

        name: The name of the strategy.
        sport: The sport that the strategy is for.
        bankroll_cap: The most that may be at work at once, in USDC: what working orders may cost, fees included, and
        what held shares cost. Greater than 0, with at most 6 decimals.
        stake_cap: The most `size_usdc` of one BUY, in USDC. Greater than 0, with at most 6 decimals.
        is_paused: True: every order under it is denied. False by default.
        paper_only: True: no order with real money, regardless of the order. True by default.
        automation: `auto` trades by its rules, `approve` once a person has approved each bet, `off` not by itself.
        `off` by default; the others need `rules.outcome`.
        automation_paper: True: what it orders by itself, or after an approval, is on paper. False needs an API key
        with the scope `orders:live`, and ends when that key is revoked. True by default.
        """
        return self._call(
            Explanation,
            "POST",
            "/v1/strategies/validate",
            body={
                "name": name,
                "sport": sport,
                "rules": rules,
                "bankroll_cap": bankroll_cap,
                "stake_cap": stake_cap,
                "is_paused": is_paused,
                "paper_only": paper_only,
                "automation": automation,
                "automation_paper": automation_paper,
            },
        )

    def get(self, strategy_id: str) -> Strategy:
        """Read a strategy.

        The current version, with its `ETag`: send it back as `If-Match` to change nothing that you have not seen.
        """
        return self._call(Strategy, "GET", f"/v1/strategies/{quote(strategy_id)}")

    def update(
        self,
        strategy_id: str,
        *,
        name: str | None | Unset = UNSET,
        rules: RulesInput | Rules | Unset = UNSET,
        bankroll_cap: Amount | Unset = UNSET,
        stake_cap: Amount | Unset = UNSET,
        is_paused: bool | Unset = UNSET,
        paper_only: bool | Unset = UNSET,
        automation: Literal["off", "approve", "auto"] | Unset = UNSET,
        automation_paper: bool | Unset = UNSET,
        if_version: int | None = None,
    ) -> Strategy:
        """Update a strategy.

        Absent members stay unchanged, as does the name for `name: null`. Each change makes a new version; a patch
        that changes nothing makes none.

        name: The new name; null or absent keeps the old one.
        bankroll_cap: The most that may be at work at once, in USDC: what working orders may cost, fees included, and
        what held shares cost. Greater than 0, with at most 6 decimals.
        stake_cap: The most `size_usdc` of one BUY, in USDC. Greater than 0, with at most 6 decimals.
        is_paused: True: every order under it is denied. False by default.
        paper_only: True: no order with real money, regardless of the order. True by default.
        automation: `auto` trades by its rules, `approve` once a person has approved each bet, `off` not by itself.
        `off` by default; the others need `rules.outcome`.
        automation_paper: True: what it orders by itself, or after an approval, is on paper. False needs an API key
        with the scope `orders:live`, and ends when that key is revoked. True by default.
        if_version: The version that is to be changed: a 412 where there is a newer one.
        """
        return self._call(
            Strategy,
            "PATCH",
            f"/v1/strategies/{quote(strategy_id)}",
            body={
                "name": name,
                "rules": rules,
                "bankroll_cap": bankroll_cap,
                "stake_cap": stake_cap,
                "is_paused": is_paused,
                "paper_only": paper_only,
                "automation": automation,
                "automation_paper": automation_paper,
            },
            if_version=if_version,
        )

    def delete(self, strategy_id: str, *, if_version: int | None = None) -> Strategy:
        """Archive a strategy.

        It takes no more orders and can no longer be read or changed. Its versions and its orders stay.

        if_version: The version that is to be changed: a 412 where there is a newer one.
        """
        return self._call(Strategy, "DELETE", f"/v1/strategies/{quote(strategy_id)}", if_version=if_version)

    def list_versions(self, strategy_id: str, *, page_size: int | None = None) -> Pages[Strategy, StrategyList]:
        """List every version of a strategy, newest first.

        Versions never change. An order names the version that it was placed under. A deleted strategy keeps its
        versions.

        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(StrategyList, f"/v1/strategies/{quote(strategy_id)}/versions", query={"limit": page_size})

    def pause(self, strategy_id: str, *, idempotency_key: str | None = None) -> Strategy:
        """Pause a strategy: its new orders are denied.

        Orders under it are recorded as `denied` until it is resumed; what rests, and what it holds, stays as it is.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Strategy,
            "POST",
            f"/v1/strategies/{quote(strategy_id)}/pause",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def resume(self, strategy_id: str, *, idempotency_key: str | None = None) -> Strategy:
        """Resume a paused strategy.

        Its orders are taken again. What stops trading otherwise still stops them.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Strategy,
            "POST",
            f"/v1/strategies/{quote(strategy_id)}/resume",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def evaluate(
        self,
        strategy_id: str,
        *,
        market_id: str | Unset = UNSET,
        venue: str | Unset = UNSET,
        limit: int | Unset = UNSET,
    ) -> Evaluation:
        """Tell what a strategy would bet and sell now, and why not.

        Judges what the strategy holds and current markets as the strategy would, whether or not it trades by itself.
        It changes nothing. What it would sell by `exit`, one decision for each outcome that it holds, comes first:
        `slot` is null, `bound_by` the condition that is true, and `code` is `hold` where none is. Each decision lists
        every rule with what was found and what it asks for; the first that is not true gives the code.

        market_id: The only market to look at; absent: every one that the rules may name.
        venue: The venue of that market; the default one when absent.
        limit: The most decisions to answer. Default: 50.
        """
        return self._call(
            Evaluation,
            "POST",
            f"/v1/strategies/{quote(strategy_id)}/evaluate",
            body={"market_id": market_id, "venue": venue, "limit": limit},
        )

    def evaluate_draft(
        self,
        *,
        strategy: StrategyInput,
        strategy_id: str | Unset = UNSET,
        market_id: str | Unset = UNSET,
        venue: str | Unset = UNSET,
        limit: int | Unset = UNSET,
    ) -> Evaluation:
        """Tell what a strategy would bet now, before it is made or changed.

        As the evaluation of a strategy, of one as its draft says. Nothing is created or changed. A draft of no
        strategy is judged on paper, and its `strategy_id` is all zeros.

        strategy: The body of a creation.
        strategy_id: The strategy that it would be a version of: what that one bet and holds counts; absent: a new
        one.
        market_id: The only market to look at; absent: every one that the rules may name.
        venue: The venue of that market; the default one when absent.
        limit: The most decisions to answer. Default: 50.
        """
        return self._call(
            Evaluation,
            "POST",
            "/v1/strategies/evaluate",
            body={
                "strategy": strategy,
                "strategy_id": strategy_id,
                "market_id": market_id,
                "venue": venue,
                "limit": limit,
            },
        )

    def list_decisions(
        self,
        strategy_id: str,
        *,
        verdict: Literal["bet", "skip"] | None = None,
        code: str | None = None,
        market_id: str | None = None,
        page_size: int | None = None,
    ) -> Pages[Decision, DecisionList]:
        """List what a strategy decided, newest first.

        Bets are kept for ever. Of skips, the server that runs the strategies remembers the last 100 of each strategy;
        `decisions/summary` counts all of them.

        verdict: Only bets, or only skips.
        code: Only skips for this reason.
        market_id: Only decisions on this market: its id, or another name that the source has for it, such as its
        slug.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            DecisionList,
            f"/v1/strategies/{quote(strategy_id)}/decisions",
            query={"verdict": verdict, "code": code, "market_id": market_id, "limit": page_size},
        )

    def count_skips(self, strategy_id: str, *, since: datetime | str | None = None) -> SkipCounts:
        """Count why a strategy did not bet, by hour.

        Counts become visible within 10 seconds.

        since: From the hour of this moment on; the last 24 hours when absent.
        """
        return self._call(
            SkipCounts,
            "GET",
            f"/v1/strategies/{quote(strategy_id)}/decisions/summary",
            query={"since": since},
        )

    def get_decision(self, decision_id: str) -> Decision:
        """Read a decision.

        What a strategy saw, every rule that it tested, and what came of it. A bet is on record for ever, a skip only
        while this server remembers it.
        """
        return self._call(Decision, "GET", f"/v1/decisions/{quote(decision_id)}")


class ApprovalsGroup(Group):
    """Bets that strategies propose and a person decides on."""

    def list(
        self,
        *,
        state: ApprovalState | None = None,
        page_size: int | None = None,
    ) -> Pages[Approval, ApprovalList]:
        """List bets that wait for a person, or did, newest first.

        Each has what the strategy saw when it proposed the bet, until when it can be approved, and what became of it.

        state: Only approvals in this state.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(ApprovalList, "/v1/approvals", query={"state": state, "limit": page_size})

    def get(self, id: str) -> Approval:
        """Read a bet that waits for a person, or did.

        With what the strategy saw when it proposed the bet, until when it can be approved, and what became of it.
        """
        return self._call(Approval, "GET", f"/v1/approvals/{quote(id)}")

    def approve(self, id: str, *, idempotency_key: str | None = None) -> Approval:
        """Approve a bet.

        The bet is decided again at the prices of now, by the version of the strategy that is in force. It is
        `approved` with its order, or `refused` where its price got worse by more than `max_drift`, a rule is not true
        any more, or a limit denies the order. It never takes more money than was asked for. Of several who approve at
        once, all get the one order. A bet on paper needs the scope `orders:paper`, one with real money `orders:live`.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Approval,
            "POST",
            f"/v1/approvals/{quote(id)}/approve",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def reject(self, id: str, *, idempotency_key: str | None = None) -> Approval:
        """Reject a bet.

        Nothing is ordered. The strategy asks for the same bet again only once its price has moved by 0.01, its
        probability or its version has changed, or 4 hours have passed.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Approval,
            "POST",
            f"/v1/approvals/{quote(id)}/reject",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )


class OrdersGroup(Group):
    """Orders, on paper and with real money, and the history of each."""

    def place(
        self,
        *,
        market_id: str,
        token: Literal["YES", "NO"],
        price: Amount,
        size_usdc: Amount,
        side: Literal["BUY", "SELL"] | Unset = UNSET,
        paper: bool | Unset = UNSET,
        strategy_id: str | None | Unset = UNSET,
        time_in_force: TimeInForce | Unset = UNSET,
        expires_at: datetime | str | None | Unset = UNSET,
        post_only: bool | Unset = UNSET,
        venue: str | None | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> Order:
        """Place an order.

        A paper order unless `paper` is exactly `false`. An order that our limits refuse is recorded as `denied`, one
        that the venue refuses as `rejected`, both with `error`. `paper: true` needs the scope `orders:paper`, `paper:
        false` the scope `orders:live`.

        market_id: The id, the slug or the number of the market at the venue.
        token: YES is the first outcome of the market and NO the second, regardless of their labels.
        price: The limit, in USDC a share: greater than 0 and less than 1, with at most 6 decimals.
        size_usdc: Money at the limit price, in USDC, greater than 0, with at most 6 decimals: what a BUY may spend,
        fees on top, and what a SELL should receive, before fees. The order is for `size_usdc / price` shares, down to
        a lot of 0.01.
        side: BUY opens with money, SELL closes shares that are held. Default: "BUY".
        paper: False for an order with real money; anything else is on paper. Default: true.
        strategy_id: The strategy whose caps and pause apply to the order; null or absent: none.
        time_in_force: GTC rests until it fills or is cancelled, GTD rests until `expires_at`, FOK fills completely at
        once or not at all, FAK fills what it can at once and drops the rest. Default: "GTC".
        expires_at: When a GTD order ends; required for GTD.
        post_only: True: it must rest, and is refused where it would match at once. For GTC and GTD. Default: false.
        venue: Where the market trades; the default venue when null or absent.
        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Order,
            "POST",
            "/v1/exchange/orders",
            body={
                "market_id": market_id,
                "token": token,
                "price": price,
                "size_usdc": size_usdc,
                "side": side,
                "paper": paper,
                "strategy_id": strategy_id,
                "time_in_force": time_in_force,
                "expires_at": expires_at,
                "post_only": post_only,
                "venue": venue,
            },
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def list(
        self,
        *,
        status: str | None = None,
        market_id: str | None = None,
        venue: str | None = None,
        strategy_id: str | None = None,
        paper: bool | None = None,
        placed_after: datetime | str | None = None,
        placed_before: datetime | str | None = None,
        order: Literal["newest", "oldest"] | None = None,
        page_size: int | None = None,
    ) -> Pages[Order, OrderList]:
        """List orders, newest first unless `order` is `oldest`.

        With `placed_after` or `placed_before` in the order of `placed_at`, otherwise of their ids.

        status: Only orders with this status, or with one of several, separated by commas: pending, unknown, delayed,
        open, partially_filled, filled, cancelled, expired, denied, rejected, failed, settled.
        market_id: Only orders of the market with this `market_id`.
        venue: Only orders at this venue.
        strategy_id: Only orders placed under this strategy.
        paper: Only orders on paper, or only those with real money.
        placed_after: Only orders with a later `placed_at`.
        placed_before: Only orders with an earlier `placed_at`.
        order: Which come first; by default the newest.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            OrderList,
            "/v1/exchange/orders",
            query={
                "status": status,
                "market_id": market_id,
                "venue": venue,
                "strategy_id": strategy_id,
                "paper": paper,
                "placed_after": placed_after,
                "placed_before": placed_before,
                "order": order,
                "limit": page_size,
            },
        )

    def get(self, id: str) -> Order:
        """Read an order.

        As it is now, with what it filled, what it paid in fees, and why it was refused if it was.
        """
        return self._call(Order, "GET", f"/v1/exchange/orders/{quote(id)}")

    def delete(self, id: str) -> Order:
        """Cancel the rest of an order.

        The answer is the order at that moment: `cancelled`, or unchanged while the venue has not answered.
        """
        return self._call(Order, "DELETE", f"/v1/exchange/orders/{quote(id)}")

    def list_events(
        self,
        id: str,
        *,
        changes: bool | None = None,
        page_size: int | None = None,
    ) -> Pages[OrderEvent, OrderEventList]:
        """List an order's events, in the order in which they happened.

        Each event is chained to the one before by its hash; applied in turn, they give the order.

        changes: True: each event also has its `change`.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            OrderEventList,
            f"/v1/exchange/orders/{quote(id)}/events",
            query={"changes": changes, "limit": page_size},
        )

    def cancel(self, id: str, *, idempotency_key: str | None = None) -> Order:
        """Cancel the rest of an order.

        The answer is the order at that moment: `cancelled`, or unchanged while the venue has not answered.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            Order,
            "POST",
            f"/v1/exchange/orders/{quote(id)}/cancel",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )


class BetsGroup(Group):
    """What was bought and sold of one outcome, what it cost and earned, and how it ended."""

    def list_results(
        self,
        *,
        by: ResultBy | None = None,
        paper: bool | None = None,
        interval: Literal["normal", "bootstrap"] | None = None,
        venue: str | None = None,
        strategy_id: str | None = None,
        settled_after: datetime | str | None = None,
        settled_before: datetime | str | None = None,
        page_size: int | None = None,
    ) -> Pages[Result, ResultList]:
        """What bets showed, divided by one property.

        A row for each key and venue, on paper unless `paper=false`; kinds of money and venues are never added up.
        Rows come from sums that are kept as bets settle. With `interval=bootstrap`, `strategy_id`, `settled_after` or
        `settled_before` every bet is read, at most the newest 100000: `covered` says how many. Open bets count where
        neither of the last two is given.

        by: What bets are divided by; `day` is that of `settled_at` in the zone of the server.
        paper: Only bets on paper, or only those with real money.
        interval: How the interval of the yield is had; `bootstrap` also has the measures that need every bet.
        venue: Only bets at this venue.
        strategy_id: Only bets of this strategy.
        settled_after: Only bets with this `settled_at`, or a later one; none that are open.
        settled_before: Only bets with an earlier `settled_at`; none that are open.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            ResultList,
            "/v1/results",
            query={
                "by": by,
                "paper": paper,
                "interval": interval,
                "venue": venue,
                "strategy_id": strategy_id,
                "settled_after": settled_after,
                "settled_before": settled_before,
                "limit": page_size,
            },
        )

    def read_result_plots(
        self,
        *,
        paper: bool | None = None,
        venue: str | None = None,
        strategy_id: str | None = None,
        settled_after: datetime | str | None = None,
        settled_before: datetime | str | None = None,
    ) -> ResultPlots:
        """What plots of settled bets are drawn from.

        Profit beside what the close let expect, prices paid beside the close, calibration and slippage: an item for
        each venue, on paper unless `paper=false`. Every settled bet is read, at most the newest 100000: `covered`
        says how many.

        paper: Only bets on paper, or only those with real money.
        venue: Only bets at this venue.
        strategy_id: Only bets of this strategy.
        settled_after: Only bets with this `settled_at`, or a later one; none that are open.
        settled_before: Only bets with an earlier `settled_at`; none that are open.
        """
        return self._call(
            ResultPlots,
            "GET",
            "/v1/results/plots",
            query={
                "paper": paper,
                "venue": venue,
                "strategy_id": strategy_id,
                "settled_after": settled_after,
                "settled_before": settled_before,
            },
        )

    def list(
        self,
        *,
        result: BetResult | None = None,
        market_id: str | None = None,
        venue: str | None = None,
        strategy_id: str | None = None,
        paper: bool | None = None,
        placed_after: datetime | str | None = None,
        placed_before: datetime | str | None = None,
        order: BetOrder | None = None,
        settled_after: datetime | str | None = None,
        settled_before: datetime | str | None = None,
        page_size: int | None = None,
    ) -> Pages[Bet, BetList]:
        """List bets, newest first unless `order` says otherwise.

        A bet is what one strategy, or a client, bought and sold of one outcome, from flat to flat, or to the result.
        In the `profit_usdc` of an open one, what is held counts as what the best bid would pay now, after the fee of
        the sale, or at cost where that is not known. Open ones are listed where neither `settled_after` nor
        `settled_before` is given.

        result: Only bets with this result.
        market_id: Only bets on the market with this `market_id`.
        venue: Only bets at this venue.
        strategy_id: Only bets of this strategy.
        paper: Only bets on paper, or only those with real money.
        placed_after: Only bets with a later `first_fill_at`.
        placed_before: Only bets with an earlier `first_fill_at`.
        order: Which come first; by default the newest. `worst` and `best` list bets that ended, by their
        `profit_usdc`.
        settled_after: Only bets with this `settled_at`, or a later one; none that are open.
        settled_before: Only bets with an earlier `settled_at`; none that are open.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            BetList,
            "/v1/bets",
            query={
                "result": result,
                "market_id": market_id,
                "venue": venue,
                "strategy_id": strategy_id,
                "paper": paper,
                "placed_after": placed_after,
                "placed_before": placed_before,
                "order": order,
                "settled_after": settled_after,
                "settled_before": settled_before,
                "limit": page_size,
            },
        )


class SignalsGroup(Group):
    """What models say of markets, for strategies to bet by."""

    def put(
        self,
        name: str,
        market_id: str,
        *,
        probabilities: Mapping[str, Amount],
        expires_at: datetime | str,
        source: str | None | Unset = UNSET,
        venue: str | None | Unset = UNSET,
    ) -> Signal:
        """Say how probable the outcomes of a market are.

        What a model of yours says of one market, under the name of the model (1 to 64 letters, digits and _ . -),
        until it expires. It takes the place of what the model said of the market before; a repetition changes
        nothing.

        probabilities: How probable each outcome is, by its label, in any case: greater than 0 and less than 1, with
        at most 6 decimals. Of the two outcomes of a market, one that is missing is the complement of the other; both
        add up to 0.98 to 1.02.
        expires_at: From then on the signal is never used. In the future, at most 30 days ahead, by the time of the
        markets: that of a tape where one is played.
        source: Where it comes from, in your own words, such as the version of the model; null or absent: nothing.
        venue: Where the market trades; the default venue when null or absent.
        """
        return self._call(
            Signal,
            "PUT",
            f"/v1/signals/{quote(name)}/{quote(market_id)}",
            body={"probabilities": probabilities, "expires_at": expires_at, "source": source, "venue": venue},
        )

    def get(self, name: str, market_id: str, *, venue: str | None = None) -> Signal:
        """Read what a model says of a market.

        The newest value, when it was put, and until when it counts.

        venue: The venue to read from; the default one when absent.
        """
        return self._call(Signal, "GET", f"/v1/signals/{quote(name)}/{quote(market_id)}", query={"venue": venue})

    def delete(self, name: str, market_id: str, *, venue: str | None = None) -> Signal:
        """Remove what a model says of a market.

        From then on nothing is decided with it, as when the model is switched off. The answer is what was removed.

        venue: The venue to read from; the default one when absent.
        """
        return self._call(Signal, "DELETE", f"/v1/signals/{quote(name)}/{quote(market_id)}", query={"venue": venue})

    def put_many(self, name: str, *, signals: Sequence[SignalInput]) -> StoredSignals:
        """Say how probable the outcomes of up to 100 markets are.

        All of them are stored, or none. The answer has them in the order of the request.

        signals: 1 to 100 signals, each of another market. All are stored, or none.
        """
        return self._call(StoredSignals, "PUT", f"/v1/signals/{quote(name)}", body={"signals": signals})

    def list(
        self,
        *,
        name: str | None = None,
        market_id: str | None = None,
        page_size: int | None = None,
    ) -> Pages[Signal, SignalList]:
        """List signals, by name, venue and market.

        Those that have expired too, until they are removed.

        name: Only signals of the model of this name.
        market_id: Only signals of the market with this `market_id`, as the answers have it.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            SignalList,
            "/v1/signals",
            query={"name": name, "market_id": market_id, "limit": page_size},
        )


class MarketsGroup(Group):
    """Markets of the venues, and their books."""

    def list(
        self,
        *,
        venue: str | None = None,
        text: str | None = None,
        sport: str | None = None,
        league: str | None = None,
        kind: MarketKind | None = None,
        status: MarketStatus | None = None,
        starts_after: datetime | str | None = None,
        starts_before: datetime | str | None = None,
        prices: bool | None = None,
        page_size: int | None = None,
    ) -> Pages[ListedMarket, MarketList]:
        """Search markets.

        Markets that match all filters, in the order of the venue. `text` is words, in any case. A venue that cannot
        search by a filter is searched page by page, so a page may have few markets, or none, although more follow.

        venue: The venue to read from; the default one when absent.
        text: Words of the question, the event, the slug or the outcomes, in any case.
        sport: The sport, in any case.
        league: The league, in any case.
        kind: Who wins (`moneyline`), by how much (`spread`), how many there are (`total`), or something else.
        status: `open` before the start, `in_play` after it; `resolving` and `disputed` while the result is not final;
        `resolved` once it is final, `amended` when the result was changed.
        starts_after: Only markets with this `starts_at`, or a later one.
        starts_before: Only markets with an earlier `starts_at`.
        prices: True: each market has its `prices`. Such a page has at most 25 markets.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            MarketList,
            "/v1/exchange/markets",
            query={
                "venue": venue,
                "text": text,
                "sport": sport,
                "league": league,
                "kind": kind,
                "status": status,
                "starts_after": starts_after,
                "starts_before": starts_before,
                "prices": prices,
                "limit": page_size,
            },
        )

    def get(self, id: str, *, venue: str | None = None) -> Market:
        """Read a market.

        By its id, slug, or number at the venue.

        venue: The venue to read from; the default one when absent.
        """
        return self._call(Market, "GET", f"/v1/exchange/markets/{quote(id)}", query={"venue": venue})

    def get_book(self, id: str, *, venue: str | None = None, token: Literal["YES", "NO"] | None = None) -> Book:
        """Read the book of an outcome, best level first.

        As holders of `token` see it. `fresh` is false after a gap in the data of the venue: nothing fills against the
        book then. Without a book the answer is market-unusable: the venue shows none for this market. Do not repeat
        the request at once.

        venue: The venue to read from; the default one when absent.
        token: The outcome whose book it is.
        """
        return self._call(
            Book,
            "GET",
            f"/v1/exchange/markets/{quote(id)}/book",
            query={"venue": venue, "token": token},
        )

    def list_history(
        self,
        id: str,
        *,
        venue: str | None = None,
        token: Literal["YES", "NO"] | None = None,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        page_size: int | None = None,
    ) -> Pages[MarketHistoryPoint, MarketHistory]:
        """List the best prices of an outcome by the minute, newest first.

        As holders of `token` see them. The server that follows markets adds a minute in which there was news of the
        market and its best prices became other ones: between two minutes the older one holds. Both prices are null
        while the book was not known. Kept for 90 days, of markets that a strategy, a paper order or a bet has the
        server follow.

        venue: The venue to read from; the default one when absent.
        token: The outcome whose book it is.
        from_: Only minutes that ended at that moment or later.
        to: Only minutes that ended before that moment.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            MarketHistory,
            f"/v1/exchange/markets/{quote(id)}/history",
            query={"venue": venue, "token": token, "from": from_, "to": to, "limit": page_size},
        )


class PortfolioGroup(Group):
    """What the account holds, is worth and has earned."""

    def get(self, *, paper: bool | None = None, strategy_id: str | None = None) -> Portfolio:
        """Read what the account holds and is worth now.

        Paper unless `paper` is `false`; with `strategy_id` the part of that strategy, for which cash and equity are
        null. Open positions are valued at what they could be sold for, or at cost where that is not known. Profit is
        realised and unrealised, less fees.

        paper: False for real money; true, or absent, for paper.
        strategy_id: Only what was bought and sold under this strategy.
        """
        return self._call(Portfolio, "GET", "/v1/portfolio", query={"paper": paper, "strategy_id": strategy_id})

    def list_history(
        self,
        *,
        paper: bool | None = None,
        strategy_id: str | None = None,
        every: Literal["hour", "day"] | None = None,
        page_size: int | None = None,
    ) -> Pages[EquityPoint, EquityPointList]:
        """List what the account was worth before, newest first.

        Paper unless `paper` is `false`; with `strategy_id` the part of that strategy. The server samples at full
        intervals (`EQUITY_EVERY`, five minutes by default) and adds a point when something differs from the one
        before, so between two points the older one holds. It adds none while it is off, or while the source of market
        data does not answer about a market in which shares are held.

        paper: False for real money; true, or absent, for paper.
        strategy_id: Only what was bought and sold under this strategy.
        every: Only the last point of each hour, or of each day of UTC: for a plot of a long time.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(
            EquityPointList,
            "/v1/portfolio/history",
            query={"paper": paper, "strategy_id": strategy_id, "every": every, "limit": page_size},
        )


class ExportGroup(Group):
    """Tables for spreadsheets and tax forms: bets, orders, and every movement of money."""

    def bets(
        self,
        *,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        paper: bool | None = None,
    ) -> str:
        """Download bets that ended, as CSV.

        A row for each bet that ended from `from` until before `to` (`settled_at`), with the members of `GET
        /v1/bets`, newest first. The answer is sent as it is read: one that breaks off is not whole. A text that a
        spreadsheet would run as a formula begins with an apostrophe. An account has 2 at once at most.

        from_: Only what happened at that moment or later.
        to: Only what happened before that moment.
        paper: Only on paper, or only with real money; both where it is absent: a column says which.
        """
        return self._text("/v1/export/bets.csv", query={"from": from_, "to": to, "paper": paper})

    def orders(
        self,
        *,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        paper: bool | None = None,
    ) -> str:
        """Download orders, as CSV.

        A row for each order that was placed from `from` until before `to`, with the members of `GET
        /v1/exchange/orders`, newest first. The answer is sent as it is read: one that breaks off is not whole. A text
        that a spreadsheet would run as a formula begins with an apostrophe. An account has 2 at once at most.

        from_: Only what happened at that moment or later.
        to: Only what happened before that moment.
        paper: Only on paper, or only with real money; both where it is absent: a column says which.
        """
        return self._text("/v1/export/orders.csv", query={"from": from_, "to": to, "paper": paper})

    def journal(
        self,
        *,
        from_: datetime | str | None = None,
        to: datetime | str | None = None,
        paper: bool | None = None,
    ) -> str:
        """Download every movement of money, as CSV.

        A row for each fill, result, deposit or other movement of money from `from` until before `to`, in the order in
        which they were booked, those on paper first. Profit is by average cost, with the fees of purchase and sale.
        The answer is sent as it is read: one that breaks off is not whole. A text that a spreadsheet would run as a
        formula begins with an apostrophe. An account has 2 at once at most.

        from_: Only what happened at that moment or later.
        to: Only what happened before that moment.
        paper: Only on paper, or only with real money; both where it is absent: a column says which.
        """
        return self._text("/v1/export/journal.csv", query={"from": from_, "to": to, "paper": paper})


class LimitsGroup(Group):
    """What the account may lose, stake and place, and how much of it is in use."""

    def get(self, *, paper: bool | None = None) -> Limits:
        """Read what the account may risk.

        Each limit is null where there is none. `used` is how much of it is in use on paper, or with real money where
        `paper` is `false`: of a limit of one market, event, league or sport, the most in any of them.

        paper: False for real money; true, or absent, for paper.
        """
        return self._call(Limits, "GET", "/v1/limits", query={"paper": paper})

    def set(
        self,
        *,
        order_usdc: Amount | None | Unset = UNSET,
        market_loss_usdc: Amount | None | Unset = UNSET,
        event_loss_usdc: Amount | None | Unset = UNSET,
        league_loss_usdc: Amount | None | Unset = UNSET,
        sport_loss_usdc: Amount | None | Unset = UNSET,
        exposure_usdc: Amount | None | Unset = UNSET,
        open_orders: int | None | Unset = UNSET,
        daily_stake_usdc: Amount | None | Unset = UNSET,
        daily_loss_usdc: Amount | None | Unset = UNSET,
        drawdown_usdc: Amount | None | Unset = UNSET,
        price_band: Amount | None | Unset = UNSET,
        orders_per_minute: int | None | Unset = UNSET,
        paper: bool | None = None,
    ) -> Limits:
        """Change what the account may risk.

        A member that is absent stays as it is; null takes the limit away. To set a limit, or lower it, needs
        `orders:cancel` or `risk:write`; to raise one, or take it away, `risk:write`. Limits hold for every order from
        then on, on paper and with real money, each counted by itself. What is held already is not sold.

        order_usdc: The most that one order may be worth at its limit price.
        market_loss_usdc: The most that may be lost in one market in the worst case, with all that its working orders
        may do.
        event_loss_usdc: The same in all markets of one event. Exclusive markets of it hedge each other; others are
        summed.
        league_loss_usdc: The same in all events of one league.
        sport_loss_usdc: The same in all events of one sport.
        exposure_usdc: The same in all markets.
        open_orders: The most orders that may be working at once.
        daily_stake_usdc: The most that purchases may spend in a day, fees and what working ones may still spend
        included.
        daily_loss_usdc: How far the equity, marked at what is bid, may fall below that of the start of the day;
        deposits do not count. Then trading is halted until a person ends that.
        drawdown_usdc: The same below its highest since the limit was set.
        price_band: The furthest that a limit price may be from the middle of a fresh book. Without such a book no
        order passes.
        orders_per_minute: The most orders within any sixty seconds; refused ones do not count.
        paper: False for real money; true, or absent, for paper.
        """
        return self._call(
            Limits,
            "PUT",
            "/v1/limits",
            query={"paper": paper},
            body={
                "order_usdc": order_usdc,
                "market_loss_usdc": market_loss_usdc,
                "event_loss_usdc": event_loss_usdc,
                "league_loss_usdc": league_loss_usdc,
                "sport_loss_usdc": sport_loss_usdc,
                "exposure_usdc": exposure_usdc,
                "open_orders": open_orders,
                "daily_stake_usdc": daily_stake_usdc,
                "daily_loss_usdc": daily_loss_usdc,
                "drawdown_usdc": drawdown_usdc,
                "price_band": price_band,
                "orders_per_minute": orders_per_minute,
            },
        )


class EventsGroup(Group):
    """Everything that happened to the account, in order, as pages and as a stream."""

    def list(
        self,
        *,
        after: str | None = None,
        before: str | None = None,
        types: str | None = None,
        limit: int | None = None,
    ) -> EventPage:
        """List what happened to the account, oldest first, or newest first with `before`.

        Every change of an order, a strategy, the account, its cash or its keys is one event, numbered from 1 in the
        order in which they became durable, without holes. Go on from `next_after`: it misses nothing, whatever
        happens meanwhile. A page of few `types` may be empty although `next_after` is below `head`, or `next_before`
        is not null. Events are kept for 90 days (`EVENTS_KEEP`); the history of an order is kept with the order.

        after: Only events after this `seq`; absent: from the oldest that is kept.
        before: Newest first: only events before this `seq`, or with `head` from the last one on. Not beside `after`.
        types: Only events of these types, separated by commas: those of the answer.
        """
        return self._call(
            EventPage,
            "GET",
            "/v1/events",
            query={"after": after, "before": before, "types": types, "limit": limit},
        )


class TradingGroup(Group):
    """What stops trading, of an account, a strategy, a sport or the whole service."""

    def set(
        self,
        *,
        scope: str,
        state: Literal["active", "reducing", "halted"],
        reason: str,
        until: datetime | str | None | Unset = UNSET,
        stops: Literal["all", "live"] | Unset = UNSET,
        cancel: bool | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> TradingSet:
        """Halt trading, let through only what lowers a worst case, or let it go on.

        Of several states that are about an order, the strictest counts. A state takes the place of what was set
        before for the same `scope` and the same orders, or fewer. Halting and tightening need `orders:cancel`;
        loosening and resuming need `risk:write`; `service` and `sport:<name>` need `admin`, and so does releasing a
        halt of a venue, of a contradiction or of an operator. Cancellations always pass.

        scope: Whose orders: `service`, `account`, `strategy:<id>` or `sport:<name>`.
        state: `halted`: no order is accepted. `reducing`: only those that lower a worst case. `active`: takes back
        what stops the scope.
        reason: Why, for whoever reads it later.
        until: When it ends by itself; absent or null for never.
        stops: `live`: only orders with real money. By default `all`.
        cancel: Also cancels the working orders that it stops.
        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            TradingSet,
            "POST",
            "/v1/trading/state",
            body={
                "scope": scope,
                "state": state,
                "reason": reason,
                "until": until,
                "stops": stops,
                "cancel": cancel,
            },
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def get(self) -> TradingNow:
        """Tell what stops the orders of the account now.

        Of several states that are about an order, the strictest counts; each says who set it, why, and when it ends.
        """
        return self._call(TradingNow, "GET", "/v1/trading/state")

    def list(
        self,
        *,
        of: Literal["account", "service"] | None = None,
        page_size: int | None = None,
    ) -> Pages[TradingState, TradingHistory]:
        """List every state that was set, newest first.

        A state that ended by itself is not listed again: `until` says when. It is kept for ever.

        of: By default of the `account`; `service`: of what holds for every account.
        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(TradingHistory, "/v1/trading/history", query={"of": of, "limit": page_size})


class AlarmsGroup(Group):
    """What is wrong now, what it means, and what to do."""

    def list(self) -> Alarms:
        """List what is wrong now, the oldest first.

        Of the account, and for a credential with `admin` also of the whole service. Each is raised once and cleared
        once: the events `alarm.raised` and `alarm.cleared`.
        """
        return self._call(Alarms, "GET", "/v1/alarms")


class AdminGroup(Group):
    """What only an administrator may do, for all accounts."""

    def reset_paper_account(self, account: str, *, idempotency_key: str | None = None) -> PaperReset:
        """Reset a paper account.

        Cancels the working paper orders, and gives the account its opening cash and nothing else: no shares, fees or
        profit. Orders, strategies and the history stay; a later result pays nothing for what was held before. While a
        working order cannot be cancelled, the answer is account-busy: some orders may be cancelled then, but no money
        was touched.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            PaperReset,
            "POST",
            f"/v1/admin/accounts/{quote(account)}/paper/reset",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def list_servers(self) -> ServerList:
        """List the servers at work on the database.

        With their versions, and what each alone does. A server that was killed is listed for up to five seconds more.
        """
        return self._call(ServerList, "GET", "/v1/admin/servers")

    def create_key(
        self,
        *,
        account: str,
        scopes: Sequence[KeyScope],
        expires: str | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> CreatedKey:
        """Create an API key.

        The answer shows the key only this once. A repeated request with the same Idempotency-Key gets `key: null`.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            CreatedKey,
            "POST",
            "/v1/admin/keys",
            body={"account": account, "scopes": scopes, "expires": expires},
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def list_keys(self, *, page_size: int | None = None) -> Pages[Key, KeyList]:
        """List the API keys of all accounts, newest first.

        With their scopes, and when they expire or were revoked; never with a secret.

        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(KeyList, "/v1/admin/keys", query={"limit": page_size})

    def get_key(self, id: str) -> Key:
        """Read an API key, without its secret.

        With its scopes, and when it expires or was revoked.
        """
        return self._call(Key, "GET", f"/v1/admin/keys/{quote(id)}")

    def revoke_key(self, id: str, *, webhooks: Literal["disable", "keep"] | None = None) -> RevokedKey:
        """Revoke an API key.

        It is refused from the next request on. The webhooks that it made, or led elsewhere, are listed, and those
        that are active are disabled unless they are to be kept. Revoking it again does what was left undone.

        webhooks: What becomes of its webhooks: `disable` unless given.
        """
        return self._call(RevokedKey, "DELETE", f"/v1/admin/keys/{quote(id)}", query={"webhooks": webhooks})


class WebhooksGroup(Group):
    """Where events are sent to."""

    def create(
        self,
        body: WebhookInput | TelegramInput | NtfyInput,
        *,
        idempotency_key: str | None = None,
    ) -> CreatedWebhook:
        """Have events sent to an address, or as messages to a person.

        The answer shows the secret that its messages are signed with, only this once. Nothing but pings is sent until
        its receiver has taken one: `POST /v1/webhooks/{id}/ping`. Then it is sent everything since it was made. With
        the `kind` telegram or ntfy a person gets messages, in words.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            CreatedWebhook,
            "POST",
            "/v1/webhooks",
            body=body,
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def list(self) -> WebhookList:
        """List the webhooks of the account, oldest first.

        With the state of each, and what its receiver answered last; never with a secret.
        """
        return self._call(WebhookList, "GET", "/v1/webhooks")

    def get(self, id: str) -> WebhookStatus:
        """Read a webhook, and how far it has come.

        With its place in the event log, what its receiver answered last, and which events were skipped.
        """
        return self._call(WebhookStatus, "GET", f"/v1/webhooks/{quote(id)}")

    def change(
        self,
        id: str,
        *,
        url: str | Unset = UNSET,
        chat_id: int | str | Unset = UNSET,
        thread_id: int | None | Unset = UNSET,
        commands_from: Sequence[int] | Unset = UNSET,
        topic: str | Unset = UNSET,
        token: str | None | Unset = UNSET,
        quiet_hours: TelegramQuietHoursInput | None | Unset = UNSET,
        summary_at: str | None | Unset = UNSET,
        zone: str | None | Unset = UNSET,
        gather_seconds: int | Unset = UNSET,
        types: Sequence[EventType] | Unset = UNSET,
        description: str | Unset = UNSET,
    ) -> Webhook:
        """Change a webhook.

        Members that are absent stay. Another address is `unverified` until its receiver takes a ping. Another token
        of a messenger is used from then on.

        url: Where to send them: https, of the public Internet.
        chat_id: The chat that the bot writes to: its number, or the `@name` of a channel.
        thread_id: The topic of a group that has topics; null for none.
        commands_from: The numbers of the Telegram users who may command the account from the chat, with the rights of
        the credential that sets this; empty for nobody. Another chat or token empties it.
        topic: The topic. Where it needs no token, whoever guesses it reads along.
        token: Another token, used from then on; null for none.
        quiet_hours: Hours in which only what is urgent is sent; null for none. What waited is one message at their
        end.
        summary_at: When the daily summary is sent; null for none.
        zone: The time zone of both; null for DAY_ZONE of the server.
        gather_seconds: How long it must be quiet before a message is sent; three times as long at the latest. 0 for
        at once.
        types: The types of events to send; empty or absent for all.
        description: In your own words.
        """
        return self._call(
            Webhook,
            "PATCH",
            f"/v1/webhooks/{quote(id)}",
            body={
                "url": url,
                "chat_id": chat_id,
                "thread_id": thread_id,
                "commands_from": commands_from,
                "topic": topic,
                "token": token,
                "quiet_hours": quiet_hours,
                "summary_at": summary_at,
                "zone": zone,
                "gather_seconds": gather_seconds,
                "types": types,
                "description": description,
            },
        )

    def delete(self, id: str) -> Webhook:
        """Remove a webhook.

        It is sent nothing any more, and its secret is forgotten. The answer is what it was.
        """
        return self._call(Webhook, "DELETE", f"/v1/webhooks/{quote(id)}")

    def ping(self, id: str) -> Ping:
        """Send a test message.

        It is signed like any other, has the type `webhook.ping`, and is sent once; a person gets a message that says
        so. An unverified webhook whose receiver takes it is active from then on.
        """
        return self._call(Ping, "POST", f"/v1/webhooks/{quote(id)}/ping")

    def rotate_secret(self, id: str, *, idempotency_key: str | None = None) -> WebhookWithSecret:
        """Make a new secret.

        For a day messages are signed with both, so that no receiver refuses one. It is shown this once. Messages to
        people are not signed.

        idempotency_key: One of yours; by default the call makes its own, and repeats the request with it.
        """
        return self._call(
            WebhookWithSecret,
            "POST",
            f"/v1/webhooks/{quote(id)}/rotate",
            idempotency_key=idempotency_key,
            is_keyed=True,
        )

    def enable(self, id: str) -> Webhook:
        """Enable a disabled webhook.

        It goes on where it stopped, and what its receiver did not take is tried at once. One that was disabled
        because its key was revoked is `unverified`, until its receiver takes a ping.
        """
        return self._call(Webhook, "POST", f"/v1/webhooks/{quote(id)}/enable")

    def disable(self, id: str) -> Webhook:
        """Disable an active webhook.

        It is sent nothing until it is enabled, and then what happened meanwhile.
        """
        return self._call(Webhook, "POST", f"/v1/webhooks/{quote(id)}/disable")

    def replay(self, id: str, body: ReplayWebhookSeqInput | ReplayWebhookAfterInput) -> Webhook:
        """Send events once more.

        The event `seq`, or everything that the webhook wants `after` an event. Their messages have the ids that they
        had. Messages to people are sent again `after` an event only.
        """
        return self._call(Webhook, "POST", f"/v1/webhooks/{quote(id)}/replay", body=body)

    def list_deliveries(self, id: str, *, page_size: int | None = None) -> Pages[Delivery, DeliveryList]:
        """List what a webhook did not take, newest first.

        Events that are tried again, that wait for an earlier one of their order, or that were given up.

        page_size: How many are asked for at once; all come, page after page.
        """
        return self._pages(DeliveryList, f"/v1/webhooks/{quote(id)}/deliveries", query={"limit": page_size})


class SessionGroup(Group):
    """Who is calling, and the login of pages in a browser."""

    def get(self) -> Caller:
        """Tell who is calling, and when the session ends.

        Also for callers without a session. It is a use of the session.
        """
        return self._call(Caller, "GET", "/v1/session")


class Groups:
    """The operations of the service, in its groups."""

    def __init__(self, http: Http) -> None:
        self.strategies = StrategiesGroup(http)
        self.approvals = ApprovalsGroup(http)
        self.orders = OrdersGroup(http)
        self.bets = BetsGroup(http)
        self.signals = SignalsGroup(http)
        self.markets = MarketsGroup(http)
        self.portfolio = PortfolioGroup(http)
        self.export = ExportGroup(http)
        self.limits = LimitsGroup(http)
        self.event_log = EventsGroup(http)
        self.trading = TradingGroup(http)
        self.alarms = AlarmsGroup(http)
        self.admin = AdminGroup(http)
        self.webhooks = WebhooksGroup(http)
        self.session = SessionGroup(http)

# Made from the OpenAPI document by `npm run python:generate`. Changes here are lost.
"""What the service answers, and what it takes.

Answers are frozen dataclasses: amounts are `Decimal`, times are `datetime` with a zone. What an older service leaves out, or a
member that may be absent, is `UNSET`. Members and words of a later version do no harm: unknown members are left out, unknown
words come as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, TypedDict, Union

from ._wire import UNSET, Amount, Model, Unset

RulesSizingMethod = Literal[
    "fixed_fraction",
    "flat",
    "kelly",
    "to_win",
    "fixed_liability",
    "edge_proportional",
    "dutch",
]

TimeInForce = Literal[
    "GTC",
    "GTD",
    "FOK",
    "FAK",
]

ApprovalState = Literal[
    "waiting",
    "approved",
    "rejected",
    "expired",
    "refused",
]

OrderStatus = Literal[
    "pending",
    "unknown",
    "delayed",
    "open",
    "partially_filled",
    "filled",
    "cancelled",
    "expired",
    "denied",
    "rejected",
    "failed",
    "settled",
]

ResultPlotNoCloseReason = Literal[
    "in_play",
    "no_start",
    "not_started",
    "no_book",
    "gap",
    "one_sided",
    "wide_spread",
]

ResultPlotSlippageSpreadReason = Literal[
    "no_bets",
    "no_decided_bets",
    "no_stake",
    "no_capital",
    "no_mark",
    "no_losses",
    "no_wins",
    "sold_early",
    "no_variance",
    "no_equity",
    "no_drawdown",
    "no_close",
    "no_probability",
    "no_price",
    "short_span",
    "no_deviation",
    "no_losing_day",
    "needs_every_bet",
]

MarketKind = Literal[
    "moneyline",
    "spread",
    "total",
    "other",
]

MarketStatus = Literal[
    "upcoming",
    "open",
    "in_play",
    "suspended",
    "closed",
    "resolving",
    "disputed",
    "resolved",
    "amended",
]

EventType = Literal[
    "order.requested",
    "order.denied",
    "order.submitting",
    "order.unknown",
    "order.accepted",
    "order.rejected",
    "order.fill",
    "order.fill_confirmed",
    "order.fill_voided",
    "order.cancel_requested",
    "order.cancel_refused",
    "order.cancelled",
    "order.expired",
    "order.settled",
    "order.amended",
    "strategy.created",
    "strategy.changed",
    "strategy.paused",
    "strategy.resumed",
    "strategy.archived",
    "account.live_allowed",
    "account.live_disallowed",
    "account.halted",
    "account.released",
    "account.limits_changed",
    "cash.deposited",
    "cash.withdrawn",
    "cash.redeemed",
    "cash.reset",
    "decision.bet",
    "decision.exit",
    "approval.waiting",
    "approval.approved",
    "approval.rejected",
    "approval.expired",
    "approval.refused",
    "key.created",
    "key.revoked",
    "trading.state",
    "losses.measured",
    "alarm.raised",
    "alarm.cleared",
    "webhook.created",
    "webhook.changed",
    "webhook.verified",
    "webhook.disabled",
    "webhook.enabled",
    "webhook.removed",
    "webhook.skipped",
    "command.refused",
]

KeyScope = Literal[
    "strategies:read",
    "strategies:write",
    "orders:read",
    "orders:paper",
    "orders:live",
    "orders:cancel",
    "risk:write",
    "webhooks:write",
    "admin",
]

AlarmKind = Literal[
    "unknown_order",
    "contradiction",
    "trading_stopped",
    "exit_held_back",
    "webhook_disabled",
    "commands_unheard",
    "feed_stale",
    "clock_off",
    "market_search_slow",
    "reconciliation_late",
    "results_late",
    "storage_trouble",
    "disk_low",
    "doctor",
]

WebhookState = Literal[
    "unverified",
    "active",
    "disabled",
    "removed",
]

EventCommandCommandBecause = Literal[
    "foreign",
    "forged",
    "repeated",
    "decided",
    "late",
    "not_allowed",
    "not_a_member",
    "key_unusable",
    "scope_missing",
    "switched_off",
]

CallerKind = Literal[
    "session",
    "key",
    "token",
    "dev",
]

ResultBy = Literal[
    "strategy",
    "version",
    "sport",
    "league",
    "kind",
    "odds",
    "phase",
    "day",
]

BetResult = Literal[
    "won",
    "lost",
    "void",
    "split",
    "closed_early",
    "open",
]

BetOrder = Literal[
    "newest",
    "oldest",
    "worst",
    "best",
]

BetEvidence = Literal[
    "l2",
    "l2_no_trades",
    "snapshots",
    "l1",
    "trades",
    "candles",
    "mid",
]



@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy(Model):
    """Strategy, as the service answers it."""

    id: str
    """The id of the strategy."""
    name: str
    """The name of the strategy."""
    sport: str
    """The sport that the strategy is for."""
    rules: Rules
    bankroll_cap: Decimal
    """The most that may be at work at once, in USDC: what working orders may cost, fees included, and what held shares
    cost.
    """
    stake_cap: Decimal
    """The most `size_usdc` of one BUY, in USDC."""
    is_paused: bool
    """True: every order under it is denied. False by default."""
    paper_only: bool
    """True: no order with real money, regardless of the order. True by default."""
    created_at: datetime
    """When its first version was made."""
    updated_at: datetime
    """When this version was made."""
    version: int
    """1 at creation, one more with every change."""
    archived_at: datetime | None
    """When it was deleted; null if it was not."""
    warnings: tuple[StrategyWarning, ...]
    """What is allowed but probably a mistake; nothing is refused for it."""
    automation: Literal["off", "approve", "auto"] | Unset = UNSET
    """`auto` trades by its rules, `approve` once a person has approved each bet, `off` not by itself. `off` by default;
    the others need `rules.outcome`.
    """
    automation_paper: bool | Unset = UNSET
    """True: what it orders by itself, or after an approval, is on paper. False needs an API key with the scope
    `orders:live`, and ends when that key is revoked. True by default.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules(Model):
    """Rules, as the service answers it."""

    version: Literal[1]
    """The version of the format of the rules."""
    match: RulesMatch
    filter: RulesFilter
    sizing: RulesSizing
    outcome: Literal["each"] | RulesOutcomeLabel | RulesOutcomeRole | RulesOutcomeIndex | RulesOutcomeFavouriteRank | Mapping[str, Any] | Unset = UNSET
    """What to bet on. Required where automation is not `off`: no side is ever guessed."""
    window: RulesWindow | Unset = UNSET
    """When to bet, relative to the start of the game."""
    phase: Literal["pre", "in_play", "any"] | Unset = UNSET
    """`pre` bets before the game, `in_play` during it. `pre` by default."""
    limits: RulesLimits | Unset = UNSET
    """How much and how often to bet."""
    order: RulesOrder | Unset = UNSET
    """How a bet is ordered."""
    exit: RulesExit | Unset = UNSET
    """When to sell what was bought; each condition by itself is enough. Absent: never."""
    signal: RulesSignal | Unset = UNSET
    """Where the probability comes from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesMatch(Model):
    """RulesMatch, as the service answers it."""

    sport: str
    """The sport of the markets; that of the strategy by default."""
    market: Literal["moneyline", "spread", "total"] | tuple[Literal["moneyline", "spread", "total"], ...] | Unset = UNSET
    """The kind of market, or several; absent: every kind."""
    league: str | tuple[str, ...] | Unset = UNSET
    """The league of the markets, or several; absent: every league."""
    venue: str | tuple[str, ...] | Unset = UNSET
    """The venue of the markets, or several, or `any`; absent: the default venue of the server."""
    events: tuple[str, ...] | Unset = UNSET
    """Ids or slugs of events; absent: every event."""
    text: str | Unset = UNSET
    """Words of the question, the event or the slug; absent: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesFilter(Model):
    """RulesFilter, as the service answers it."""

    side: Literal["BACK", "LAY"]
    """BACK bets for the outcome, LAY against it. BACK by default."""
    min_odds: Decimal | Unset = UNSET
    """The shortest decimal odds (1 / price) to bet at; absent: any."""
    max_odds: Decimal | Unset = UNSET
    """The longest decimal odds (1 / price) to bet at; absent: any."""
    min_edge: Decimal | None | Unset = UNSET
    """The least expected yield of the bet, net of fees: probability / cost - 1. Needs a signal. Null or absent: any.
    """
    max_spread: Decimal | None | Unset = UNSET
    """The most between the best bid and the best ask. 0.05 by default where automation is not `off`; null: any."""
    min_liquidity_usdc: Decimal | None | Unset = UNSET
    """The least that the book must offer within the odds, in USDC. Null or absent: any."""
    max_drift: Decimal | None | Unset = UNSET
    """How far the price may have moved since the strategy first saw the market. Null or absent: any."""
    max_book_age: str | None | Unset = UNSET
    """How old the last word from the market may be. Null or absent: as fresh as every order needs it."""
    max_overround: Decimal | None | Unset = UNSET
    """The most by which the best asks of exclusive outcomes may add up to more than 1. Null or absent: any."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSizing(Model):
    """RulesSizing, as the service answers it."""

    method: RulesSizingMethod
    """`fixed_fraction` of the free bankroll, `flat` USDC, a fraction of full `kelly`, `to_win` so many USDC,
    `fixed_liability` of so many USDC, `edge_proportional` to the edge, or `dutch`: so many USDC divided among the
    outcomes.
    """
    value: Decimal
    """A fraction from 0 to 1 for `fixed_fraction`, `kelly` and `edge_proportional`, USDC for the other methods."""
    reference_edge: Decimal | Unset = UNSET
    """For `edge_proportional`: the edge at which the whole fraction is staked; 0.1 by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOutcomeLabel(Model):
    """RulesOutcomeLabel, as the service answers it."""

    label: str
    """The outcome of this label, in any case of letters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOutcomeRole(Model):
    """RulesOutcomeRole, as the service answers it."""

    role: Literal["home", "away", "draw"]
    """The outcome that stands for this in its game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOutcomeIndex(Model):
    """RulesOutcomeIndex, as the service answers it."""

    index: int
    """0 for the first outcome of the market, 1 for the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOutcomeFavouriteRank(Model):
    """RulesOutcomeFavouriteRank, as the service answers it."""

    favourite_rank: int
    """1 for the most probable outcome of the game, 2 for the next, and so on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesWindow(Model):
    """When to bet, relative to the start of the game."""

    from_: str | Unset = UNSET
    """Not before this time: `-24h` is a day before the start. Absent: any time."""
    to: str | Unset = UNSET
    """Not after this time: `-5m` is five minutes before the start. Absent: any time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesLimits(Model):
    """How much and how often to bet."""

    max_bets_per_outcome: int | None | Unset = UNSET
    """The most bets on one outcome, ever. 1 by default; null: any number."""
    max_bets_per_market: int | None | Unset = UNSET
    """The most bets in one market, ever. Null or absent: any number."""
    max_bets_per_event: int | None | Unset = UNSET
    """The most bets in one event, ever. Null or absent: any number."""
    max_bets_per_day: int | None | Unset = UNSET
    """The most bets in a day. 100 by default where automation is not `off`; null: any number."""
    max_open: int | None | Unset = UNSET
    """The most bets open at once: outcomes of which it holds shares, has an order that may still buy, or asks to bet on,
    each counted once. Null or absent: any number.
    """
    cooldown: str | None | Unset = UNSET
    """The least time between two bets on one outcome. 5m by default; null: none."""
    event_loss: Decimal | None | Unset = UNSET
    """The most that one event may lose, whatever its result, in USDC. A twentieth of `bankroll_cap` by default where
    automation is not `off`; null: any.
    """
    daily_loss: Decimal | None | Unset = UNSET
    """The most that a day may lose, in USDC. A tenth of `bankroll_cap` by default where automation is not `off`; null:
    any.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesOrder(Model):
    """How a bet is ordered."""

    time_in_force: TimeInForce
    """FAK by default: it fills what it can at once and drops the rest."""
    give_up_after: str | None | Unset = UNSET
    """When what has not filled is cancelled. 1m by default; null: never."""
    max_slippage: Decimal | None | Unset = UNSET
    """How far the limit of the order may be from the best price. 0.02 by default; null: any."""
    approve_within: str | Unset = UNSET
    """How long a bet waits for a person where automation is `approve`. 10m by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesExit(Model):
    """When to sell what was bought; each condition by itself is enough. Absent: never."""

    take_profit: RulesExitTakeProfitPrice | RulesExitTakeProfitGain | Mapping[str, Any] | Unset = UNSET
    """At this `price` of the outcome held, or once selling brings this `gain`: a share of the cost."""
    stop: RulesExitTakeProfitPrice | RulesExitStopLoss | Mapping[str, Any] | Unset = UNSET
    """At this `price` of the outcome held, or once selling brings this `loss`: a share of the cost."""
    before_start: str | Unset = UNSET
    """So long before the start of the game."""
    after: str | Unset = UNSET
    """So long after the first purchase."""
    edge_below: Decimal | Unset = UNSET
    """Once the expected yield of holding is below this. Needs a signal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesExitTakeProfitPrice(Model):
    """RulesExitTakeProfitPrice, as the service answers it."""

    price: Decimal
    """The price at which the outcome held can be sold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesExitTakeProfitGain(Model):
    """RulesExitTakeProfitGain, as the service answers it."""

    gain: Decimal
    """A share of the cost: 0.2 sells what cost 10 once it brings 12."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesExitStopLoss(Model):
    """RulesExitStopLoss, as the service answers it."""

    loss: Decimal
    """A share of the cost: 0.2 sells what cost 10 once it brings 8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulesSignal(Model):
    """Where the probability comes from."""

    name: str
    """The name of the signal: 1 to 64 letters, digits, `_`, `.` and `-`."""
    required: bool
    """False lets it bet without the signal where no other rule needs a probability. True by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyWarning(Model):
    """StrategyWarning, as the service answers it."""

    pointer: str
    """A JSON pointer to the value in question; empty for the whole."""
    detail: str
    """What follows from it, with the relevant values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation(Model):
    """Explanation, as the service answers it."""

    data: tuple[ExplanationItem, ...]
    """A sentence for each member that does something, defaults too."""
    warnings: tuple[StrategyWarning, ...]
    """What is allowed but probably a mistake."""
    rules: Rules
    """The rules as the strategy would have them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplanationItem(Model):
    """ExplanationItem, as the service answers it."""

    pointer: str
    """A JSON pointer to the member."""
    sentence: str
    """What it means."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation(Model):
    """Evaluation, as the service answers it."""

    data: tuple[EvaluationItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationItem(Model):
    """EvaluationItem, as the service answers it."""

    at: datetime
    """When it was decided: on a tape, in the time of the tape."""
    strategy_id: str
    """The strategy that decided."""
    strategy_version: int
    """The version of it that decided."""
    market_id: str
    """The market."""
    venue: str
    """The venue of the market."""
    token: Literal["YES", "NO"]
    """What would be bought, for LAY the other outcome than the one named; or what is sold."""
    outcome_label: str | None
    """The label of what would be bought or sold."""
    question: str | None
    """What the market asks; null where that is not known."""
    event: str | None
    """The title of the event of the market; null where it has none."""
    name: str
    """The outcome by its game and its name, for people. Its form may change."""
    verdict: Literal["bet", "skip"]
    """Whether it orders: a bet, or the sale of one where `slot` is null."""
    code: str | None
    """Why there is no bet; null for a bet."""
    reason: str
    """Why it bets, sells or does neither: a sentence with the figures that decided. Its words may change."""
    price: Decimal | None
    """The limit of the order."""
    size_usdc: Decimal | None
    """The `size_usdc` of the order: money at the limit."""
    shares: Decimal | None
    """What the order gets from the book as it was seen, or sells."""
    cost_usdc: Decimal | None
    """What those shares cost, fees included; null for a sale."""
    odds: Decimal | None
    """Decimal odds of the outcome that the rules name, for the whole stake, net of fees."""
    edge: Decimal | None
    """Expected yield of the whole stake, net of fees; null without a probability."""
    probability: Decimal | None
    """The probability of the outcome that the rules name; null without a signal."""
    bound_by: str | None
    """What kept the bet from being larger; for a sale the rule that asked for it."""
    slot: int | None
    """The number of the bet on this outcome, from 1; null for a sale."""
    inputs: Mapping[str, str | None]
    """Everything that was seen, by its name."""
    rules: tuple[EvaluationItemRule, ...]
    """Every rule that restricts, in the order in which they were tested."""
    order_id: str | None
    """The order that it placed."""
    approval_id: str | None
    """The approval that it waits for, or came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationItemRule(Model):
    """EvaluationItemRule, as the service answers it."""

    rule: str
    """The member of the rules that was tested."""
    value: str | None
    """What was found; null where it is not known."""
    bound: str | None
    """What the rule asks for."""
    passed: bool | None
    """Null where an input was missing: then there is no bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipCounts(Model):
    """SkipCounts, as the service answers it."""

    data: tuple[SkipCount, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SkipCount(Model):
    """SkipCount, as the service answers it."""

    hour: datetime
    """The beginning of the hour, in UTC."""
    code: str
    """Why there was no bet."""
    reason: str
    """The same as a sentence."""
    count: int
    """How often."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Model):
    """Decision, as the service answers it."""

    id: str
    """The id of the decision."""
    at: datetime
    """When it was decided: on a tape, in the time of the tape."""
    strategy_id: str
    """The strategy that decided."""
    strategy_version: int
    """The version of it that decided."""
    market_id: str
    """The market."""
    venue: str
    """The venue of the market."""
    token: Literal["YES", "NO"]
    """What would be bought, for LAY the other outcome than the one named; or what is sold."""
    outcome_label: str | None
    """The label of what would be bought or sold."""
    question: str | None
    """What the market asks; null where that is not known."""
    event: str | None
    """The title of the event of the market; null where it has none."""
    name: str
    """The outcome by its game and its name, for people. Its form may change."""
    verdict: Literal["bet", "skip"]
    """Whether it orders: a bet, or the sale of one where `slot` is null."""
    code: str | None
    """Why there is no bet; null for a bet."""
    reason: str
    """Why it bets, sells or does neither: a sentence with the figures that decided. Its words may change."""
    price: Decimal | None
    """The limit of the order."""
    size_usdc: Decimal | None
    """The `size_usdc` of the order: money at the limit."""
    shares: Decimal | None
    """What the order gets from the book as it was seen, or sells."""
    cost_usdc: Decimal | None
    """What those shares cost, fees included; null for a sale."""
    odds: Decimal | None
    """Decimal odds of the outcome that the rules name, for the whole stake, net of fees."""
    edge: Decimal | None
    """Expected yield of the whole stake, net of fees; null without a probability."""
    probability: Decimal | None
    """The probability of the outcome that the rules name; null without a signal."""
    bound_by: str | None
    """What kept the bet from being larger; for a sale the rule that asked for it."""
    slot: int | None
    """The number of the bet on this outcome, from 1; null for a sale."""
    inputs: Mapping[str, str | None]
    """Everything that was seen, by its name."""
    rules: tuple[EvaluationItemRule, ...]
    """Every rule that restricts, in the order in which they were tested."""
    order_id: str | None
    """The order that it placed."""
    approval_id: str | None
    """The approval that it waits for, or came from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval(Model):
    """Approval, as the service answers it."""

    id: str
    """The id of the approval."""
    state: ApprovalState
    """`expired`: nobody answered in time, or its game began or ended; `refused`: somebody approved it, but it may not be
    bet any more, or its strategy asks no longer. `decision.code` says why.
    """
    decision: Decision
    """The bet that is asked for; once somebody approved it, what was decided at that moment."""
    expires_at: datetime
    """From then on it cannot be approved."""
    decided_by: str | None
    """The credential that approved or rejected it; `service` where it was withdrawn."""
    decided_at: datetime | None
    """When it was approved, rejected or withdrawn."""
    order_id: str | None
    """The order of the bet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Model):
    """Order, as the service answers it."""

    id: str
    """The id of the order here."""
    market_id: str
    """The id of the market at its venue; without market data, the id that the client sent."""
    market_slug: str | None
    """The readable name of the market at the venue; null without market data."""
    condition_id: str | None
    """The condition id; null without market data, and where the venue has none."""
    question_snapshot: str | None
    """What the market asked when the order was placed."""
    token: Literal["YES", "NO"]
    """YES is the first outcome of the market and NO the second, regardless of their labels."""
    side: Literal["BUY", "SELL"]
    """BUY opens with money, SELL closes shares that are held."""
    price: Decimal
    """The limit, in USDC a share."""
    size_usdc: Decimal
    """Money at the limit price, as requested, in USDC: to be spent by a BUY, to be received by a SELL, before fees.
    """
    status: OrderStatus
    """The status of the order. `denied` is our refusal, `rejected` the venue's; `unknown`: the venue has not said
    whether it has the order; `failed`: it reversed every fill; `settled`: the result of the market is booked.
    """
    paper: bool
    """False for an order with real money."""
    clob_order_id: str | None
    """The id of the order at the venue; null until it has accepted it."""
    filled_size_usdc: Decimal | None
    """The total of the fills at their prices, in USDC, before fees: paid by a BUY, received by a SELL. Null until the
    venue has accepted the order. Up to a lot less than `size_usdc` for an order that is filled.
    """
    return_usdc: Decimal | None
    """What came back, in USDC, once the market has its result: for a BUY what its filled shares pay, stake included; for
    a SELL its proceeds less fees. Null until then.
    """
    error: str | None
    """Why it was refused, failed or is unknown: a code, a colon and a sentence. `/refusals` lists the codes."""
    placed_at: datetime
    """When the order was recorded."""
    settled_at: datetime | None
    """When the result, or the newest amendment of it, was booked."""
    strategy_id: str | None
    """The strategy under which it was placed."""
    strategy_version: int | None
    """The version of the strategy at that moment."""
    time_in_force: TimeInForce
    """GTC rests until it fills or is cancelled, GTD rests until `expires_at`, FOK fills completely at once or not at
    all, FAK fills what it can at once and drops the rest.
    """
    expires_at: datetime | None
    """When a GTD order ends; null for every other."""
    post_only: bool
    """True: it must rest, and is refused where it would match at once. For GTC and GTD."""
    outcome_label: str | None
    """The name of the outcome in its market."""
    shares: Decimal
    """Shares that were ordered: `size_usdc / price` in whole lots of 0.01."""
    filled_shares: Decimal
    """Shares of all valid fills."""
    fees_usdc: Decimal
    """Fees of those fills, in USDC: on top for a BUY, out of the proceeds for a SELL."""
    updated_at: datetime
    """When the newest event happened."""
    venue: str
    """Where the market trades; `none` without market data."""
    name: str
    """The outcome by its game and its name, for people. Its form may change."""
    decision_id: str | None
    """The decision of its strategy that placed it, as in `GET /v1/decisions/{id}`; null where a client did."""
    environment: Literal["demo"] | Unset = UNSET
    """`demo` where it is the play money of a venue's demo; absent otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlots(Model):
    """ResultPlots, as the service answers it."""

    data: tuple[ResultPlot, ...]
    """By venue."""
    covered: ResultPlotsCovered
    """The bets that were read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlot(Model):
    """ResultPlot, as the service answers it."""

    paper: bool
    """False for bets with real money."""
    venue: str
    """Where they were made."""
    bets: int
    """Settled ones."""
    days: tuple[ResultPlotDay, ...]
    """By the days on which they settled, oldest first."""
    luck_usdc: str
    """How far results alone move that profit if the close was right: one standard deviation."""
    closing: ResultPlotClosing | None
    """How prices paid compare with the close; null where no bet has one."""
    no_close: tuple[ResultPlotNoClose, ...]
    """Why the others have no price of the close."""
    calibration: tuple[ResultPlotCalibration, ...]
    """Probabilities that were stated for bets won or lost, and how often these were won, as in `result.json` of a
    backtest.
    """
    slippage_spread: ResultPlotSlippageSpread
    """As in `result.json` of a backtest."""
    slippage_delay: ResultPlotSlippageSpread
    """As in `result.json` of a backtest."""
    slippage_depth: ResultPlotSlippageSpread
    """As in `result.json` of a backtest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotDay(Model):
    """ResultPlotDay, as the service answers it."""

    day: str
    """The day of `settled_at`, in the zone of the server."""
    bets: int
    """Those with a price of the close."""
    profit_usdc: Decimal
    """What they earned, in USDC."""
    expected_usdc: str
    """What they could expect to earn by the fair price of the close."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotClosing(Model):
    """ResultPlotClosing, as the service answers it."""

    bets: int
    """Those with a price of the close."""
    better: int
    """Those with a better price than the close."""
    same: int
    """Those with the same price."""
    median_points: str
    """Of the bet in the middle, in cents a share."""
    classes: tuple[ResultPlotClosingClass, ...]
    """Bets by the close less the average price, in classes of a cent a share: each ends at `end`, on the side farther
    from 0.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotClosingClass(Model):
    """ResultPlotClosingClass, as the service answers it."""

    end: Decimal
    """Cents a share: where the class ends, on the side farther from 0."""
    bets: int
    """Those in the class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotNoClose(Model):
    """ResultPlotNoClose, as the service answers it."""

    reason: ResultPlotNoCloseReason
    """Why, in a word."""
    bets: int
    """Those without one for this reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotCalibration(Model):
    """ResultPlotCalibration, as the service answers it."""

    from_: str
    """Where the class begins, inclusive."""
    to: str
    """Where it ends, exclusive but for 1."""
    n: int
    """Bets in the class."""
    forecast: str | None
    """The mean of what was stated; null without bets."""
    won: str | None
    """Which part of them was won; null without bets."""
    low: str | None
    """The lower bound of its 95 % interval, by Wilson."""
    high: str | None
    """The upper bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotSlippageSpread(Model):
    """As in `result.json` of a backtest."""

    value: str | None
    """A decimal; null where the measure does not exist."""
    reason: ResultPlotSlippageSpreadReason | None
    """Why it does not exist."""
    n: int
    """How many settled events (of the yield), bets or days it is of."""
    low: str | None
    """The lower bound of the 95 % interval, of the yield and of rates."""
    high: str | None
    """The upper bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPlotsCovered(Model):
    """The bets that were read."""

    bets: int
    """Of how many bets the rows are, on all pages."""
    all: bool
    """False where only the newest of them were measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal(Model):
    """Signal, as the service answers it."""

    name: str
    """The name of the model: 1 to 64 letters, digits and _ . -."""
    market_id: str
    """The venue's own id of the market."""
    venue: str
    """Where the market trades."""
    probabilities: Mapping[str, Decimal]
    """How probable each outcome is, by its label as the market spells it, the first outcome first."""
    expires_at: datetime
    """From then on the signal is never used. It is removed within the hour."""
    source: str | None
    """Where it comes from; null where that was not said."""
    updated_at: datetime
    """When it was put, by the time of the markets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSignals(Model):
    """StoredSignals, as the service answers it."""

    data: tuple[Signal, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Market(Model):
    """Market, as the service answers it."""

    id: str
    """Its id at the venue: the `market_id` of orders and positions."""
    venue_id: str | None
    """The number of the market at the venue."""
    slug: str | None
    """Its readable name at the venue."""
    condition_id: str | None
    """The condition id in the contracts, the same as `id`; null where the venue has none."""
    question: str | None
    """What the market asks."""
    outcomes: tuple[MarketOutcome, ...] | None
    """First YES, then NO; `token_id` is the id of the shares at the venue."""
    event: MarketEvent | None
    """The page that groups markets, such as one game."""
    sport: str | None
    """The sport."""
    league: str | None
    """The league."""
    kind: MarketKind | None
    """Who wins (`moneyline`), by how much (`spread`), how many there are (`total`), or something else."""
    line: str | None
    """The handicap or total that the question is about."""
    starts_at: datetime | None
    """When the game starts."""
    status: MarketStatus | None
    """`open` before the start, `in_play` after it; `resolving` and `disputed` while the result is not final; `resolved`
    once it is final, `amended` when the result was changed.
    """
    payout: MarketPayout | None
    """What one share pays, in USDC; both together are 1. Null until the result is confirmed."""
    lot: Decimal
    """The smallest step of the shares of an order."""
    terms: MarketTerms | None
    """The rules of the venue for orders."""
    venue: str
    """Where the market trades."""
    outcome_role: Literal["home", "away", "draw"] | None
    """What the first outcome stands for in its game; null where that is not certain."""
    exclusive_set: str | None
    """The group of markets in which exactly one resolves YES, such as home, draw and away of one game."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketOutcome(Model):
    """MarketOutcome, as the service answers it."""

    token: Literal["YES", "NO"]
    """The outcome as orders name it."""
    label: str
    """Its readable name."""
    token_id: str
    """The id of its shares at the venue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketEvent(Model):
    """MarketEvent, as the service answers it."""

    id: str
    """Its number at the venue."""
    slug: str | None
    """Its readable name at the venue."""
    title: str | None
    """Its title."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketPayout(Model):
    """MarketPayout, as the service answers it."""

    yes: Decimal
    """For a share of the first outcome."""
    no: Decimal
    """For a share of the second outcome."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketTerms(Model):
    """MarketTerms, as the service answers it."""

    tick: Decimal
    """Prices are multiples of it, from one tick to one tick below 1. It may change."""
    min_shares: Decimal
    """The minimum shares of an order."""
    min_notional_usdc: Decimal
    """The minimum of a BUY that would match at once, in USDC."""
    fee: MarketTermsFee | None
    """What it charges; null where the venue does not report it: orders are denied then."""
    neg_risk: bool
    """True for one of several markets of which exactly one resolves YES."""
    accepting_orders: bool
    """False while the market takes no orders."""
    delay_seconds: Decimal
    """How long an order that would match at once is held before it matches."""
    clears_book_at_start: bool
    """True where every resting order is cancelled when the game starts."""
    gtd_lead_ms: int
    """How long after its arrival a GTD order must end, at least, in milliseconds."""
    quote_step_usdc: Decimal | None
    """A FOK or FAK BUY spends its dollars, in steps of this; null where shares bound every order."""
    bands: tuple[MarketTermsBand, ...] | None
    """Where steps differ by price; null where `tick` is the step everywhere."""
    nets_outcomes: bool | Unset = UNSET
    """True where the venue keeps one net position of the market: an account holds one outcome at a time. Absent
    elsewhere.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketTermsFee(Model):
    """MarketTermsFee, as the service answers it."""

    rate: Decimal
    """The fee is shares × rate × (price × (1 − price))^exponent, in USDC."""
    exponent: Decimal
    """The exponent of that formula."""
    taker_only: bool
    """True where resting orders pay nothing."""
    as_of: datetime
    """When it was read, or from when it holds."""
    maker_rate: Decimal
    """The rate for resting orders."""
    rounding: MarketTermsFeeRounding | Unset = UNSET
    """Where fees are rounded otherwise than to the nearest 0.00001 USDC of an order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketTermsFeeRounding(Model):
    """Where fees are rounded otherwise than to the nearest 0.00001 USDC of an order."""

    step: Decimal
    """The step to which a fee is rounded, in USDC."""
    to: Literal["nearest", "up"]
    """To the nearest step, or up to the next."""
    each: Literal["fill", "order"]
    """Once for each fill, or for all fills of an order."""
    balance_step: Decimal | Unset = UNSET
    """Each fill also pays what brings the change of the balance down to such a step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketTermsBand(Model):
    """MarketTermsBand, as the service answers it."""

    from_: Decimal
    """The first price of the band."""
    step: Decimal
    """The step of prices from there on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookUpdate(Model):
    """BookUpdate, as the service answers it."""

    market_id: str
    """The id of the market at its venue."""
    venue: str
    """Where it trades."""
    token: Literal["YES"]
    """It is as holders of YES see it: a bid for NO at 0.4 is an ask of YES at 0.6."""
    fresh: bool
    """False after a gap in the data of the venue: nothing fills against the book then."""
    at: datetime
    """When the newest of these levels was received."""
    bids: tuple[BookLevel, ...]
    """Buy levels, highest price first."""
    asks: tuple[BookLevel, ...]
    """Sell levels, lowest price first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookLevel(Model):
    """BookLevel, as the service answers it."""

    price: Decimal
    """In USDC a share."""
    size: Decimal
    """Total shares at this price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeUpdate(Model):
    """TradeUpdate, as the service answers it."""

    market_id: str
    """The id of the market at its venue."""
    venue: str
    """Where it trades."""
    token: Literal["YES"]
    """The price is that of YES."""
    side: Literal["BUY", "SELL"]
    """What the order did that came in, in terms of YES."""
    price: Decimal
    """In USDC a share."""
    size: Decimal
    """How many shares."""
    at: datetime
    """When it was heard, in the time of the market: on a tape, that of the tape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultUpdate(Model):
    """ResultUpdate, as the service answers it."""

    market_id: str
    """The id of the market at its venue."""
    venue: str
    """Where it trades."""
    payout: MarketPayout
    """What one share pays, in USDC."""
    at: datetime
    """When it was heard, in the time of the market: on a tape, that of the tape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GapUpdate(Model):
    """GapUpdate, as the service answers it."""

    market_id: str | None
    """The id of the market at its venue; null for all of the stream."""
    venue: str | None
    """Where it trades; null for all of the stream."""
    reason: Literal["market_data", "missed", "restarted"]
    """`market_data`: the data of the venue had a hole. `missed`: you read too slowly, or were away for too long.
    `restarted`: your `id` is of another server, or of one that has restarted.
    """
    at: datetime
    """When it was heard, in the time of the market: on a tape, that of the tape."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book(Model):
    """Book, as the service answers it."""

    market_id: str
    """The id of the market at its venue."""
    token: Literal["YES", "NO"]
    """The outcome whose book it is."""
    fresh: bool
    """False after a gap in the data of the venue: nothing fills against the book then."""
    at: datetime
    """When its newest part was received."""
    now: datetime
    """When it was read, in the time of the market: on a tape, that of the tape."""
    bids: tuple[BookLevel, ...]
    """Buy levels, highest price first."""
    asks: tuple[BookLevel, ...]
    """Sell levels, lowest price first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Portfolio(Model):
    """Portfolio, as the service answers it."""

    paper: bool
    """False for real money."""
    strategy_id: str | None
    """The strategy whose part this is; null for the whole account."""
    at: datetime
    """The time of the figures."""
    cash_usdc: Decimal | None
    """Cash, reserved cash included, in USDC; null for a strategy."""
    redeemable_usdc: Decimal | None
    """What results paid in real money and must still be redeemed on the chain before it is cash, in USDC; null for a
    strategy.
    """
    equity_usdc: Decimal | None
    """`cash_usdc`, `redeemable_usdc` and `value_usdc` together; null for a strategy."""
    value_usdc: Decimal
    """What all open positions could be sold for, in USDC; those without a mark are valued at cost."""
    realised_usdc: Decimal
    """Of all positions, closed ones too, in USDC, before fees. May be negative."""
    unrealised_usdc: Decimal
    """`value_usdc` less what the open positions cost. May be negative."""
    fees_usdc: Decimal
    """All fees that were paid, in USDC."""
    profit_usdc: Decimal
    """Realised and unrealised, less fees."""
    reserved_usdc: Decimal
    """Cash reserved for working BUY orders, fees included, in USDC."""
    exposure_usdc: Decimal
    """At risk, in USDC: what the open positions cost, and what working BUY orders may still spend. Unlike `cost_usdc` of
    the positions, it counts orders that have not filled.
    """
    unmarked_positions: int
    """How many open positions have no mark."""
    positions: tuple[PortfolioPosition, ...]
    """Open positions, and those with something to redeem."""
    environment: Literal["demo"] | Unset = UNSET
    """`demo` where it is the play money of a venue's demo; absent otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PortfolioPosition(Model):
    """PortfolioPosition, as the service answers it."""

    market_id: str
    """The id of the market at its venue."""
    token: Literal["YES", "NO"]
    """YES is the first outcome of the market, NO the second."""
    outcome_label: str | None
    """The name of the outcome in its market."""
    question: str | None
    """What the market asks."""
    shares: Decimal
    """Shares that are held, including those reserved for working SELL orders."""
    average_price: Decimal
    """`cost_usdc / shares`, in USDC a share, rounded down; 0 without shares."""
    cost_usdc: Decimal
    """What the shares that are held cost, in USDC, before fees."""
    mark_price: Decimal | None
    """What one share could be sold for now, in USDC: the best bid, or what the result pays. Null when that is not known.
    """
    value_usdc: Decimal
    """`shares` at the mark, in USDC, rounded down; `cost_usdc` without a mark."""
    unrealised_usdc: Decimal | None
    """`value_usdc` less `cost_usdc`; null without a mark."""
    realised_usdc: Decimal
    """Proceeds of sales and results in this outcome, less what those shares cost, in USDC, before fees. May be negative.
    """
    fees_usdc: Decimal
    """Fees paid in this outcome, in USDC."""
    redeemable_usdc: Decimal
    """What a result paid for shares of this outcome that must still be redeemed on the chain, in USDC; always 0 on
    paper.
    """
    venue: str
    """Where the market trades."""
    name: str
    """The outcome by its game and its name, for people. Its form may change."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits(Model):
    """Limits, as the service answers it."""

    order_usdc: Decimal | None
    """The most that one order may be worth at its limit price."""
    market_loss_usdc: Decimal | None
    """The most that may be lost in one market in the worst case, with all that its working orders may do."""
    event_loss_usdc: Decimal | None
    """The same in all markets of one event. Exclusive markets of it hedge each other; others are summed."""
    league_loss_usdc: Decimal | None
    """The same in all events of one league."""
    sport_loss_usdc: Decimal | None
    """The same in all events of one sport."""
    exposure_usdc: Decimal | None
    """The same in all markets."""
    open_orders: int | None
    """The most orders that may be working at once."""
    daily_stake_usdc: Decimal | None
    """The most that purchases may spend in a day, fees and what working ones may still spend included."""
    daily_loss_usdc: Decimal | None
    """How far the equity, marked at what is bid, may fall below that of the start of the day; deposits do not count.
    Then trading is halted until a person ends that.
    """
    drawdown_usdc: Decimal | None
    """The same below its highest since the limit was set."""
    price_band: Decimal | None
    """The furthest that a limit price may be from the middle of a fresh book. Without such a book no order passes."""
    orders_per_minute: int | None
    """The most orders within any sixty seconds; refused ones do not count."""
    used: LimitsUsed
    """How much of each is in use, on paper or with real money; null for a limit of one order, and where nothing is
    counted.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsUsed(Model):
    """How much of each is in use, on paper or with real money; null for a limit of one order, and where nothing is
    counted.
    """

    order_usdc: Decimal | None
    """The most that one order may be worth at its limit price."""
    market_loss_usdc: Decimal | None
    """The most that may be lost in one market in the worst case, with all that its working orders may do."""
    event_loss_usdc: Decimal | None
    """The same in all markets of one event. Exclusive markets of it hedge each other; others are summed."""
    league_loss_usdc: Decimal | None
    """The same in all events of one league."""
    sport_loss_usdc: Decimal | None
    """The same in all events of one sport."""
    exposure_usdc: Decimal | None
    """The same in all markets."""
    open_orders: int | None
    """The most orders that may be working at once."""
    daily_stake_usdc: Decimal | None
    """The most that purchases may spend in a day, fees and what working ones may still spend included."""
    daily_loss_usdc: Decimal | None
    """How far the equity, marked at what is bid, may fall below that of the start of the day; deposits do not count.
    Then trading is halted until a person ends that.
    """
    drawdown_usdc: Decimal | None
    """The same below its highest since the limit was set."""
    price_band: Decimal | None
    """The furthest that a limit price may be from the middle of a fresh book. Without such a book no order passes."""
    orders_per_minute: int | None
    """The most orders within any sixty seconds; refused ones do not count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event(Model):
    """Event, as the service answers it."""

    id: str
    """A UUIDv7, the same at every read."""
    seq: str
    """The number of the event in the account's log: 1, 2, 3 and so on, without holes."""
    type: EventType
    """What happened."""
    at: datetime
    """When it happened: for orders, decisions and approvals on a tape, in the time of the tape."""
    text: str
    """What happened, as a sentence for a person. Its words may change."""
    data: EventOrder | EventStrategy | EventAccount | EventCash | EventDecision | EventApproval | EventKey | EventTrading | EventLosses | EventAlarm | EventWebhook | EventCommand | Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrder(Model):
    """EventOrder, as the service answers it."""

    order: Order
    """The order right after the event."""
    event: EventOrderEvent
    """The event as it is in the order's own history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventOrderEvent(Model):
    """The event as it is in the order's own history."""

    seq: int
    """The number of the event within its order, from 1."""
    type: str
    """What happened."""
    at: datetime
    """When it happened: on a tape, in the time of the tape."""
    reason: str | None
    """Why: for a refusal, its code, a colon and a sentence."""
    data: Mapping[str, str | bool | None]
    """What the event adds, such as `shares`, `price`, `size_usdc`, `fee_usdc` and `fill_model` of a fill."""
    hash: str
    """SHA-256 of this event and the hash of the one before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventStrategy(Model):
    """EventStrategy, as the service answers it."""

    strategy: Strategy
    """The version of the strategy that the event made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAccount(Model):
    """EventAccount, as the service answers it."""

    account: AccountState
    """The account right after the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountState(Model):
    """The account right after the event."""

    live_enabled: bool
    """Whether an operator lets the account trade with real money."""
    halt: AccountStateHalt | None
    """Why its orders with real money are stopped; null when they are not."""
    limits: LimitsUsed | Unset = UNSET
    """What it may risk, where that is what changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountStateHalt(Model):
    """AccountStateHalt, as the service answers it."""

    code: str
    """Why, as a stable word."""
    message: str
    """Why, as a sentence."""
    at: datetime
    """Since when."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCash(Model):
    """EventCash, as the service answers it."""

    cash: CashMovement
    """What moved other than by an order; a reset of paper money too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CashMovement(Model):
    """What moved other than by an order; a reset of paper money too."""

    paper: bool
    """Whether it is paper money."""
    venue: str | None
    """Where the money is; null on paper."""
    amount_usdc: Decimal
    """What came; negative what went."""
    market_id: str | None
    """The market whose shares were redeemed; null where none were."""
    token: Literal["YES", "NO"] | None
    """Which of its outcomes; null where none was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventDecision(Model):
    """EventDecision, as the service answers it."""

    decision: Decision
    """The bet, or the sale of one, that a strategy decided on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventApproval(Model):
    """EventApproval, as the service answers it."""

    approval: Approval
    """The approval right after the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventKey(Model):
    """EventKey, as the service answers it."""

    key: Key
    """The API key, without what authenticates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Model):
    """The API key, without what authenticates."""

    id: str
    """The id of the key, which is the part of it before the secret."""
    account: str
    """The account that the key acts for."""
    scopes: tuple[KeyScope, ...]
    """What the key may do."""
    created_at: datetime
    """When it was made."""
    expires_at: datetime | None
    """When it ends; null for never."""
    revoked_at: datetime | None
    """When it was revoked; null while it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTrading(Model):
    """EventTrading, as the service answers it."""

    trading: TradingState
    """What was set about trading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingState(Model):
    """What was set about trading."""

    scope: str
    """Whose orders it is about."""
    state: Literal["active", "reducing", "halted"]
    """Which of them are accepted."""
    stops: Literal["all", "live"]
    """`live`: it is only about orders with real money."""
    reason: str
    """Why."""
    by: str
    """The credential that set it, `operator` for the command line, or `service`."""
    since: datetime
    """When it was set."""
    until: datetime | None
    """When it ends by itself; null for never."""
    code: str | None
    """Why, as a stable word, where the service or the command line set it; null where a client did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLosses(Model):
    """EventLosses, as the service answers it."""

    losses: MeasuredLosses
    """What the losses of the account are measured from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredLosses(Model):
    """What the losses of the account are measured from."""

    paper: bool
    """Whether it is of paper money."""
    day: str | None
    """The day that began, in the zone of the server; null while nothing is measured."""
    start_usdc: Decimal
    """What trading had brought when that day was first measured, sold or not."""
    peak_usdc: Decimal | None
    """The most that it ever brought; null where no drawdown is limited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventAlarm(Model):
    """EventAlarm, as the service answers it."""

    alarm: RaisedAlarm
    """The alarm, as it was raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaisedAlarm(Model):
    """The alarm, as it was raised."""

    kind: AlarmKind
    """What is wrong, as a stable word."""
    subject: str
    """What it is about: the id of an order or a webhook, what a strategy holds, the name of a venue, a scope of trading;
    empty for the whole service.
    """
    detail: str
    """What was found."""
    since: datetime
    """Since when."""
    title: str
    """What is wrong, in a few words."""
    meaning: str
    """What it means for money."""
    what_to_do: str
    """What to do."""
    urgent: bool
    """True of one that a person should be woken for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventWebhook(Model):
    """EventWebhook, as the service answers it."""

    webhook: Webhook
    """The webhook right after the event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook(Model):
    """The webhook right after the event."""

    id: str
    """The id of the webhook."""
    types: tuple[EventType, ...]
    """The types of events that are sent; empty for all."""
    description: str
    """In the words of whoever made it."""
    by: str
    """The credential that made it, or last changed where it leads: the id of a key."""
    state: WebhookState
    """`unverified` until its receiver takes a ping, `active`, `disabled` by hand, or when its receiver took nothing for
    five days or wants nothing any more, `removed` in the event of its removal.
    """
    disabled_because: str | None
    """Why it is disabled; null unless it is."""
    skipped: WebhookSkipped | None
    """The last events that it was not sent in their turn, or at all; null for none."""
    created_at: datetime
    """When it was made."""
    updated_at: datetime
    """When it last changed."""
    kind: Literal["telegram", "ntfy"] | Unset = UNSET
    """How a person gets messages; absent for a webhook."""
    url: str | Unset = UNSET
    """Where events are sent, or the ntfy server; absent for Telegram."""
    chat_id: str | Unset = UNSET
    """The chat; only for Telegram."""
    thread_id: int | None | Unset = UNSET
    """The topic of a group; null for none. Only for Telegram."""
    commands_from: tuple[int, ...] | Unset = UNSET
    """The numbers of the Telegram users who may command the account from the chat, with the rights of the credential
    that sets this; empty for nobody. Another chat or token empties it. Only for Telegram.
    """
    topic: str | Unset = UNSET
    """The topic; only for ntfy."""
    quiet_hours: WebhookQuietHours | None | Unset = UNSET
    """Hours in which only what is urgent is sent; null for none. What waited is one message at their end. Only for
    messages to a person.
    """
    summary_at: str | None | Unset = UNSET
    """When the daily summary is sent; null for none. Only for messages to a person."""
    zone: str | None | Unset = UNSET
    """The time zone of both; null for DAY_ZONE of the server. Only for messages to a person."""
    gather_seconds: int | Unset = UNSET
    """How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once. Only for
    messages to a person.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookQuietHours(Model):
    """WebhookQuietHours, as the service answers it."""

    from_: str
    """When they begin."""
    to: str
    """When they end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSkipped(Model):
    """WebhookSkipped, as the service answers it."""

    from_: str
    """The first event."""
    to: str
    """The last one."""
    order_id: str | None
    """The order that the event is about; null where it is about none, or several."""
    because: Literal["passed", "given_up", "gone"]
    """`passed`: later events of its order go on while it is tried further. `given_up`: its last try failed. `gone`: the
    log has it no more.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCommand(Model):
    """EventCommand, as the service answers it."""

    command: EventCommandCommand
    """A command or a press in a chat, which did nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventCommandCommand(Model):
    """A command or a press in a chat, which did nothing."""

    webhook_id: str
    """The webhook whose chat or bot it came by."""
    by: str
    """Whoever it came from: `telegram:`, the id of the webhook, and the number of the user."""
    said: str
    """What was asked for: a command, or what a button does."""
    because: EventCommandCommandBecause
    """Why it did nothing; `text` of the event says it as a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingSet(Model):
    """TradingSet, as the service answers it."""

    scope: str
    """Whose orders it is about."""
    state: Literal["active", "reducing", "halted"]
    """Which of them are accepted."""
    stops: Literal["all", "live"]
    """`live`: it is only about orders with real money."""
    reason: str
    """Why."""
    by: str
    """The credential that set it, `operator` for the command line, or `service`."""
    since: datetime
    """When it was set."""
    until: datetime | None
    """When it ends by itself; null for never."""
    code: str | None
    """Why, as a stable word, where the service or the command line set it; null where a client did."""
    cancellation: TradingSetCancellation | None
    """What became of the working orders; null where they were to stay."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingSetCancellation(Model):
    """TradingSetCancellation, as the service answers it."""

    cancelled: int
    """How many orders were cancelled."""
    working: int
    """How many still work."""
    not_cancelled: tuple[TradingSetCancellationNotCancelled, ...]
    """Those that still work, at most 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingSetCancellationNotCancelled(Model):
    """TradingSetCancellationNotCancelled, as the service answers it."""

    order_id: str
    """The order."""
    reason: str
    """Why it still works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingNow(Model):
    """TradingNow, as the service answers it."""

    live_enabled: bool
    """Whether an operator lets the account trade with real money."""
    effective: Literal["active", "reducing", "halted"]
    """What an order with real money meets that names no strategy, in a market without a sport."""
    data: tuple[TradingState, ...]
    """Every state in force that is about the account, other than `active`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperReset(Model):
    """PaperReset, as the service answers it."""

    account: str
    cash_usdc: Decimal
    reserved_usdc: Decimal
    cancelled_orders: int
    reset_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedWebhook(Model):
    """CreatedWebhook, as the service answers it."""

    id: str
    """The id of the webhook."""
    types: tuple[EventType, ...]
    """The types of events that are sent; empty for all."""
    description: str
    """In the words of whoever made it."""
    by: str
    """The credential that made it, or last changed where it leads: the id of a key."""
    state: WebhookState
    """`unverified` until its receiver takes a ping, `active`, `disabled` by hand, or when its receiver took nothing for
    five days or wants nothing any more, `removed` in the event of its removal.
    """
    disabled_because: str | None
    """Why it is disabled; null unless it is."""
    skipped: WebhookSkipped | None
    """The last events that it was not sent in their turn, or at all; null for none."""
    created_at: datetime
    """When it was made."""
    updated_at: datetime
    """When it last changed."""
    secret: str | None | Unset = UNSET
    """What its messages are signed with, shown this once: null for a repeated request. Absent for messages to a person.
    """
    kind: Literal["telegram", "ntfy"] | Unset = UNSET
    """How a person gets messages; absent for a webhook."""
    url: str | Unset = UNSET
    """Where events are sent, or the ntfy server; absent for Telegram."""
    chat_id: str | Unset = UNSET
    """The chat; only for Telegram."""
    thread_id: int | None | Unset = UNSET
    """The topic of a group; null for none. Only for Telegram."""
    commands_from: tuple[int, ...] | Unset = UNSET
    """The numbers of the Telegram users who may command the account from the chat, with the rights of the credential
    that sets this; empty for nobody. Another chat or token empties it. Only for Telegram.
    """
    topic: str | Unset = UNSET
    """The topic; only for ntfy."""
    quiet_hours: WebhookQuietHours | None | Unset = UNSET
    """Hours in which only what is urgent is sent; null for none. What waited is one message at their end. Only for
    messages to a person.
    """
    summary_at: str | None | Unset = UNSET
    """When the daily summary is sent; null for none. Only for messages to a person."""
    zone: str | None | Unset = UNSET
    """The time zone of both; null for DAY_ZONE of the server. Only for messages to a person."""
    gather_seconds: int | Unset = UNSET
    """How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once. Only for
    messages to a person.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookStatus(Model):
    """WebhookStatus, as the service answers it."""

    id: str
    """The id of the webhook."""
    types: tuple[EventType, ...]
    """The types of events that are sent; empty for all."""
    description: str
    """In the words of whoever made it."""
    by: str
    """The credential that made it, or last changed where it leads: the id of a key."""
    state: WebhookState
    """`unverified` until its receiver takes a ping, `active`, `disabled` by hand, or when its receiver took nothing for
    five days or wants nothing any more, `removed` in the event of its removal.
    """
    disabled_because: str | None
    """Why it is disabled; null unless it is."""
    skipped: WebhookSkipped | None
    """The last events that it was not sent in their turn, or at all; null for none."""
    created_at: datetime
    """When it was made."""
    updated_at: datetime
    """When it last changed."""
    passed: str
    """The number of the last event that was delivered, or failed and is in its deliveries."""
    failing_since: datetime | None
    """When a try first failed since the last that did not; null while none does."""
    held_until: datetime | None
    """Until when nothing is sent, as its receiver asked; null where it did not."""
    delivered_at: datetime | None
    """When its receiver last took an event; null before."""
    kind: Literal["telegram", "ntfy"] | Unset = UNSET
    """How a person gets messages; absent for a webhook."""
    url: str | Unset = UNSET
    """Where events are sent, or the ntfy server; absent for Telegram."""
    chat_id: str | Unset = UNSET
    """The chat; only for Telegram."""
    thread_id: int | None | Unset = UNSET
    """The topic of a group; null for none. Only for Telegram."""
    commands_from: tuple[int, ...] | Unset = UNSET
    """The numbers of the Telegram users who may command the account from the chat, with the rights of the credential
    that sets this; empty for nobody. Another chat or token empties it. Only for Telegram.
    """
    topic: str | Unset = UNSET
    """The topic; only for ntfy."""
    quiet_hours: WebhookQuietHours | None | Unset = UNSET
    """Hours in which only what is urgent is sent; null for none. What waited is one message at their end. Only for
    messages to a person.
    """
    summary_at: str | None | Unset = UNSET
    """When the daily summary is sent; null for none. Only for messages to a person."""
    zone: str | None | Unset = UNSET
    """The time zone of both; null for DAY_ZONE of the server. Only for messages to a person."""
    gather_seconds: int | Unset = UNSET
    """How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once. Only for
    messages to a person.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Ping(Model):
    """Ping, as the service answers it."""

    taken: bool
    """Whether the receiver answered with a status of 200 to 299, or the messenger took a test message."""
    status: int | None
    """The status of its answer; null where it was taken, there was none, or for messages to a person."""
    said: str
    """The beginning of the answer, or why there was none; empty where it was taken."""
    webhook: Webhook
    """The webhook after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookWithSecret(Model):
    """WebhookWithSecret, as the service answers it."""

    secret: str | None
    """What its messages are signed with. It is shown this once: null for a repeated request."""
    id: str
    """The id of the webhook."""
    types: tuple[EventType, ...]
    """The types of events that are sent; empty for all."""
    description: str
    """In the words of whoever made it."""
    by: str
    """The credential that made it, or last changed where it leads: the id of a key."""
    state: WebhookState
    """`unverified` until its receiver takes a ping, `active`, `disabled` by hand, or when its receiver took nothing for
    five days or wants nothing any more, `removed` in the event of its removal.
    """
    disabled_because: str | None
    """Why it is disabled; null unless it is."""
    skipped: WebhookSkipped | None
    """The last events that it was not sent in their turn, or at all; null for none."""
    created_at: datetime
    """When it was made."""
    updated_at: datetime
    """When it last changed."""
    kind: Literal["telegram", "ntfy"] | Unset = UNSET
    """How a person gets messages; absent for a webhook."""
    url: str | Unset = UNSET
    """Where events are sent, or the ntfy server; absent for Telegram."""
    chat_id: str | Unset = UNSET
    """The chat; only for Telegram."""
    thread_id: int | None | Unset = UNSET
    """The topic of a group; null for none. Only for Telegram."""
    commands_from: tuple[int, ...] | Unset = UNSET
    """The numbers of the Telegram users who may command the account from the chat, with the rights of the credential
    that sets this; empty for nobody. Another chat or token empties it. Only for Telegram.
    """
    topic: str | Unset = UNSET
    """The topic; only for ntfy."""
    quiet_hours: WebhookQuietHours | None | Unset = UNSET
    """Hours in which only what is urgent is sent; null for none. What waited is one message at their end. Only for
    messages to a person.
    """
    summary_at: str | None | Unset = UNSET
    """When the daily summary is sent; null for none. Only for messages to a person."""
    zone: str | None | Unset = UNSET
    """The time zone of both; null for DAY_ZONE of the server. Only for messages to a person."""
    gather_seconds: int | Unset = UNSET
    """How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once. Only for
    messages to a person.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller(Model):
    """Caller, as the service answers it."""

    account: str
    """The account that requests like this one act for."""
    kind: CallerKind
    """By what the request was authenticated: a session, an API key, an access token, or a development user."""
    credential: str
    """The id of the key, also of the one that a session was begun with; or of the token."""
    scopes: tuple[KeyScope, ...]
    """What the caller may do. A session may do what its key may."""
    started_at: datetime | None
    """When the session began; null without one."""
    idle_at: datetime | None
    """When the session ends unless it is used before; null without one."""
    ends_at: datetime | None
    """When the session ends, however much it is used; null without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedKey(Model):
    """CreatedKey, as the service answers it."""

    key: str | None
    id: str
    """The id of the key, which is the part of it before the secret."""
    account: str
    """The account that the key acts for."""
    scopes: tuple[KeyScope, ...]
    """What the key may do."""
    created_at: datetime
    """When it was made."""
    expires_at: datetime | None
    """When it ends; null for never."""
    revoked_at: datetime | None
    """When it was revoked; null while it is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokedKey(Model):
    """RevokedKey, as the service answers it."""

    id: str
    """The id of the key, which is the part of it before the secret."""
    account: str
    """The account that the key acts for."""
    scopes: tuple[KeyScope, ...]
    """What the key may do."""
    created_at: datetime
    """When it was made."""
    expires_at: datetime | None
    """When it ends; null for never."""
    revoked_at: datetime | None
    """When it was revoked; null while it is not."""
    webhooks: tuple[RevokedKeyWebhook, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokedKeyWebhook(Model):
    """RevokedKeyWebhook, as the service answers it."""

    id: str
    """The id of the webhook."""
    to: str
    """The host or the chat that it leads to."""
    state: WebhookState
    """What it is now."""


class _RulesInput(TypedDict):
    sizing: RulesSizingInput


class RulesInput(_RulesInput, total=False):
    # The version of the format of the rules.
    version: Literal[1]
    match: RulesMatchInput
    filter: RulesFilterInput
    # What to bet on. Required where automation is not `off`: no side is ever guessed.
    outcome: Literal["each"] | RulesOutcomeLabelInput | RulesOutcomeRoleInput | RulesOutcomeIndexInput | RulesOutcomeFavouriteRankInput
    # When to bet, relative to the start of the game.
    window: RulesWindowInput
    # `pre` bets before the game, `in_play` during it. `pre` by default.
    phase: Literal["pre", "in_play", "any"]
    # How much and how often to bet.
    limits: RulesLimitsInput
    # How a bet is ordered.
    order: RulesOrderInput
    # When to sell what was bought; each condition by itself is enough. Absent: never.
    exit: RulesExitInput
    # Where the probability comes from.
    signal: RulesSignalInput


class RulesMatchInput(TypedDict, total=False):
    # The sport of the markets; that of the strategy by default.
    sport: str
    # The kind of market, or several; absent: every kind.
    market: Literal["moneyline", "spread", "total"] | Sequence[Literal["moneyline", "spread", "total"]]
    # The league of the markets, or several; absent: every league.
    league: str | Sequence[str]
    # The venue of the markets, or several, or `any`; absent: the default venue of the server.
    venue: str | Sequence[str]
    # Ids or slugs of events; absent: every event.
    events: Sequence[str]
    # Words of the question, the event or the slug; absent: any.
    text: str


class RulesFilterInput(TypedDict, total=False):
    # The shortest decimal odds (1 / price) to bet at; absent: any. Above 1, with at most 6 decimals.
    min_odds: Amount
    # The longest decimal odds (1 / price) to bet at; absent: any. Above 1, with at most 6 decimals.
    max_odds: Amount
    # BACK bets for the outcome, LAY against it. BACK by default.
    side: Literal["BACK", "LAY"]
    # The least expected yield of the bet, net of fees: probability / cost - 1. Needs a signal. Null or absent: any.
    min_edge: Amount | None
    # The most between the best bid and the best ask. 0.05 by default where automation is not `off`; null: any.
    max_spread: Amount | None
    # The least that the book must offer within the odds, in USDC. Null or absent: any.
    min_liquidity_usdc: Amount | None
    # How far the price may have moved since the strategy first saw the market. Null or absent: any.
    max_drift: Amount | None
    # How old the last word from the market may be. Null or absent: as fresh as every order needs it.
    max_book_age: str | None
    # The most by which the best asks of exclusive outcomes may add up to more than 1. Null or absent: any.
    max_overround: Amount | None


class _RulesSizingInput(TypedDict):
    # `fixed_fraction` of the free bankroll, `flat` USDC, a fraction of full `kelly`, `to_win` so many USDC,
    # `fixed_liability` of so many USDC, `edge_proportional` to the edge, or `dutch`: so many USDC divided among the
    # outcomes.
    method: RulesSizingMethod
    # A fraction from 0 to 1 for `fixed_fraction`, `kelly` and `edge_proportional`, USDC for the other methods. 0 or
    # more, with at most 6 decimals.
    value: Amount


class RulesSizingInput(_RulesSizingInput, total=False):
    # For `edge_proportional`: the edge at which the whole fraction is staked; 0.1 by default.
    reference_edge: Amount


class RulesOutcomeLabelInput(TypedDict):
    # The outcome of this label, in any case of letters.
    label: str


class RulesOutcomeRoleInput(TypedDict):
    # The outcome that stands for this in its game.
    role: Literal["home", "away", "draw"]


class RulesOutcomeIndexInput(TypedDict):
    # 0 for the first outcome of the market, 1 for the second.
    index: int


class RulesOutcomeFavouriteRankInput(TypedDict):
    # 1 for the most probable outcome of the game, 2 for the next, and so on.
    favourite_rank: int


RulesWindowInput = TypedDict("RulesWindowInput", {"from": "str", "to": "str"}, total=False)


class RulesLimitsInput(TypedDict, total=False):
    # The most bets on one outcome, ever. 1 by default; null: any number.
    max_bets_per_outcome: int | None
    # The most bets in one market, ever. Null or absent: any number.
    max_bets_per_market: int | None
    # The most bets in one event, ever. Null or absent: any number.
    max_bets_per_event: int | None
    # The most bets in a day. 100 by default where automation is not `off`; null: any number.
    max_bets_per_day: int | None
    # The most bets open at once: outcomes of which it holds shares, has an order that may still buy, or asks to bet
    # on, each counted once. Null or absent: any number.
    max_open: int | None
    # The least time between two bets on one outcome. 5m by default; null: none.
    cooldown: str | None
    # The most that one event may lose, whatever its result, in USDC. A twentieth of `bankroll_cap` by default where
    # automation is not `off`; null: any.
    event_loss: Amount | None
    # The most that a day may lose, in USDC. A tenth of `bankroll_cap` by default where automation is not `off`; null:
    # any.
    daily_loss: Amount | None


class RulesOrderInput(TypedDict, total=False):
    # FAK by default: it fills what it can at once and drops the rest.
    time_in_force: TimeInForce
    # When what has not filled is cancelled. 1m by default; null: never.
    give_up_after: str | None
    # How far the limit of the order may be from the best price. 0.02 by default; null: any.
    max_slippage: Amount | None
    # How long a bet waits for a person where automation is `approve`. 10m by default.
    approve_within: str


class RulesExitInput(TypedDict, total=False):
    # At this `price` of the outcome held, or once selling brings this `gain`: a share of the cost.
    take_profit: RulesExitTakeProfitPriceInput | RulesExitTakeProfitGainInput
    # At this `price` of the outcome held, or once selling brings this `loss`: a share of the cost.
    stop: RulesExitTakeProfitPriceInput | RulesExitStopLossInput
    # So long before the start of the game.
    before_start: str
    # So long after the first purchase.
    after: str
    # Once the expected yield of holding is below this. Needs a signal.
    edge_below: Amount


class RulesExitTakeProfitPriceInput(TypedDict):
    # The price at which the outcome held can be sold.
    price: Amount


class RulesExitTakeProfitGainInput(TypedDict):
    # A share of the cost: 0.2 sells what cost 10 once it brings 12.
    gain: Amount


class RulesExitStopLossInput(TypedDict):
    # A share of the cost: 0.2 sells what cost 10 once it brings 8.
    loss: Amount


class _RulesSignalInput(TypedDict):
    # The name of the signal: 1 to 64 letters, digits, `_`, `.` and `-`.
    name: str


class RulesSignalInput(_RulesSignalInput, total=False):
    # False lets it bet without the signal where no other rule needs a probability. True by default.
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyList(Model):
    """StrategyList, as the service answers it."""

    data: tuple[Strategy, ...]
    next_cursor: str | None


class _StrategyInput(TypedDict):
    # The name of the strategy.
    name: str
    # The sport that the strategy is for.
    sport: str
    rules: RulesInput
    # The most that may be at work at once, in USDC: what working orders may cost, fees included, and what held shares
    # cost. Greater than 0, with at most 6 decimals.
    bankroll_cap: Amount
    # The most `size_usdc` of one BUY, in USDC. Greater than 0, with at most 6 decimals.
    stake_cap: Amount


class StrategyInput(_StrategyInput, total=False):
    # True: every order under it is denied. False by default.
    is_paused: bool
    # True: no order with real money, regardless of the order. True by default.
    paper_only: bool
    # `auto` trades by its rules, `approve` once a person has approved each bet, `off` not by itself. `off` by
    # default; the others need `rules.outcome`.
    automation: Literal["off", "approve", "auto"]
    # True: what it orders by itself, or after an approval, is on paper. False needs an API key with the scope
    # `orders:live`, and ends when that key is revoked. True by default.
    automation_paper: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionList(Model):
    """DecisionList, as the service answers it."""

    data: tuple[Decision, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalList(Model):
    """ApprovalList, as the service answers it."""

    data: tuple[Approval, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderList(Model):
    """OrderList, as the service answers it."""

    data: tuple[Order, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderEventList(Model):
    """OrderEventList, as the service answers it."""

    data: tuple[OrderEvent, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderEvent(Model):
    """OrderEvent, as the service answers it."""

    seq: int
    """The number of the event within its order, from 1."""
    type: str
    """What happened."""
    at: datetime
    """When it happened: on a tape, in the time of the tape."""
    reason: str | None
    """Why: for a refusal, its code, a colon and a sentence."""
    data: Mapping[str, str | bool | None]
    """What the event adds, such as `shares`, `price`, `size_usdc`, `fee_usdc` and `fill_model` of a fill."""
    hash: str
    """SHA-256 of this event and the hash of the one before it."""
    change: str | Unset = UNSET
    """With `changes=true`: the change as it is hashed. `hash` is the SHA-256 of five lines: the hash before (empty for
    the first event), the id of the order, `seq`, `at`, and this.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultList(Model):
    """ResultList, as the service answers it."""

    data: tuple[Result, ...]
    next_cursor: str | None
    covered: ResultPlotsCovered
    """The bets that were measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(Model):
    """Result, as the service answers it."""

    by: ResultBy
    """What bets are divided by."""
    key: str | None
    """What they share; null where it is not known, and by day of open bets."""
    paper: bool
    """False for bets with real money."""
    venue: str
    """Where they were made."""
    bets: int
    """Settled ones."""
    open: int
    """Open ones: they count in `profit_usdc` alone."""
    measures: ResultMeasures
    """Every measure by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultMeasures(Model):
    """Every measure by its name."""

    profit_usdc: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    turnover_usdc: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    yield_: ResultMeasuresYield
    """As in `result.json` of a backtest; `n` counts settled events."""
    yield_z: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    return_on_capital: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    hit_rate: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    break_even_rate: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    expectancy_usdc: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    profit_factor: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    longest_losing_run: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    longest_losing_run_expected: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    max_drawdown: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts marks."""
    max_drawdown_usdc: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts marks."""
    max_drawdown_seconds: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts marks."""
    clv_points: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    clv_net: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    clv_beat_rate: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier_market: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier_reliability: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier_resolution: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier_uncertainty: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier_within_variance: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    brier_within_covariance: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    log_loss: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    fees_usdc: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    slippage_spread: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    slippage_delay: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    slippage_depth: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    exposure_max: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts marks."""
    sharpe_daily: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts days."""
    sortino_daily: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts days."""
    kelly_growth: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""
    kelly_growth_expected: ResultPlotSlippageSpread
    """As in `result.json` of a backtest; `n` counts bets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultMeasuresYield(Model):
    """As in `result.json` of a backtest; `n` counts settled events."""

    value: str | None
    """A decimal; null where the measure does not exist."""
    reason: ResultPlotSlippageSpreadReason | None
    """Why it does not exist."""
    n: int
    """How many settled events (of the yield), bets or days it is of."""
    low: str | None
    """The lower bound of the 95 % interval, of the yield and of rates."""
    high: str | None
    """The upper bound."""
    interval: Literal["normal", "bootstrap"]
    """How that interval is had."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BetList(Model):
    """BetList, as the service answers it."""

    data: tuple[Bet, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet(Model):
    """Bet, as the service answers it."""

    id: str
    """The order that opened the bet and, where that order opened several, their number."""
    paper: bool
    """False for a bet with real money."""
    venue: str
    """Where the market trades."""
    event_id: str | None
    """The event of the market at the venue; null where it has none."""
    event: str | None
    """The title of that event."""
    market_id: str
    """The market."""
    question: str | None
    """What the market asked when the first order was placed."""
    sport: str | None
    """The sport of the market."""
    league: str | None
    """The league of the market."""
    kind: str | None
    """The kind of the market."""
    line: str | None
    """The handicap or total of the market."""
    strategy_id: str | None
    """The strategy that bet; null where a client placed the first order."""
    strategy_version: int | None
    """The version of it that placed the first order."""
    outcome_label: str | None
    """The name of the outcome that was bought."""
    side: Literal["BACK", "LAY"]
    """For LAY the outcome bought is the other one than the rules name."""
    first_fill_at: datetime
    """When the first share was bought."""
    last_fill_at: datetime
    """When the last share was bought or sold."""
    settled_at: datetime | None
    """When its result was booked, or its last share was sold; null while open."""
    seconds_to_start: Decimal | None
    """From the first fill to the start of the event; below 0 after it, null where the start is not known."""
    phase: Literal["pre", "in_play"]
    """Whether the first fill was before the start of the event."""
    shares: Decimal
    """All shares that were bought."""
    stake_usdc: Decimal
    """What they cost in USDC, before fees."""
    fees_usdc: Decimal
    """The fees of purchases and sales, in USDC."""
    avg_price: Decimal
    """Stake over shares, with nine decimals."""
    avg_cost: Decimal
    """Stake and fees over shares, with nine decimals."""
    mid_at_decision: Decimal | None
    """The middle of the book of the outcome when the first order was decided."""
    best_at_decision: Decimal | None
    """The best price at which it could be bought then."""
    mid_at_arrival: Decimal | None
    """The middle of the book when that order reached it."""
    best_at_arrival: Decimal | None
    """The best price at which it could be bought then."""
    p_model: Decimal | None
    """The probability of what was bought that the strategy stated before the bet."""
    close_price: Decimal | None
    """The middle of the last book before the start of the event."""
    close_reason: ResultPlotNoCloseReason | None
    """Why there is no such price; null where there is one."""
    payout: Decimal | None
    """What each share paid, in USDC; null without a result."""
    sold_for_usdc: Decimal
    """What sales brought before fees, in USDC."""
    proceeds_usdc: Decimal
    """What sales and the result brought before fees, in USDC."""
    profit_usdc: Decimal
    """What the bet earned, in USDC, after fees; while it is open, with what is held at what the bids would pay."""
    result: BetResult
    """`closed_early`: everything was sold before the result."""
    liquidity: Literal["maker", "taker", "mixed"]
    """Whether its orders waited in the book, or took from it."""
    fill_models: tuple[str, ...]
    """What simulated fills assumed, each once."""
    evidence: BetEvidence | None
    """What the market data can prove that simulated fills met, the least of it: `l2` for what a venue sends here; null
    with real money.
    """
    order_ids: tuple[str, ...]
    """Its orders, oldest first."""
    equity_at_entry_usdc: Decimal | None
    """The cash of the account before the first fill, with what its open bets cost; null if not known."""
    at_risk_usdc: Decimal | None
    """What the open bets of the account cost then; null if not known."""


class _SignalInput(TypedDict):
    # The id, the slug or the number of the market at the venue.
    market_id: str
    # How probable each outcome is, by its label, in any case: greater than 0 and less than 1, with at most 6
    # decimals. Of the two outcomes of a market, one that is missing is the complement of the other; both add up to
    # 0.98 to 1.02.
    probabilities: Mapping[str, Amount]
    # From then on the signal is never used. In the future, at most 30 days ahead, by the time of the markets: that of
    # a tape where one is played.
    expires_at: datetime | str


class SignalInput(_SignalInput, total=False):
    # Where it comes from, in your own words, such as the version of the model; null or absent: nothing.
    source: str | None
    # Where the market trades; the default venue when null or absent.
    venue: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalList(Model):
    """SignalList, as the service answers it."""

    data: tuple[Signal, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketList(Model):
    """MarketList, as the service answers it."""

    data: tuple[ListedMarket, ...]
    next_cursor: str | None
    warnings: tuple[StrategyWarning, ...]
    """Why markets may be missing, and what to do about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMarket(Model):
    """ListedMarket, as the service answers it."""

    id: str
    """Its id at the venue: the `market_id` of orders and positions."""
    venue_id: str | None
    """The number of the market at the venue."""
    slug: str | None
    """Its readable name at the venue."""
    condition_id: str | None
    """The condition id in the contracts, the same as `id`; null where the venue has none."""
    question: str | None
    """What the market asks."""
    outcomes: tuple[MarketOutcome, ...] | None
    """First YES, then NO; `token_id` is the id of the shares at the venue."""
    event: MarketEvent | None
    """The page that groups markets, such as one game."""
    sport: str | None
    """The sport."""
    league: str | None
    """The league."""
    kind: MarketKind | None
    """Who wins (`moneyline`), by how much (`spread`), how many there are (`total`), or something else."""
    line: str | None
    """The handicap or total that the question is about."""
    starts_at: datetime | None
    """When the game starts."""
    status: MarketStatus | None
    """`open` before the start, `in_play` after it; `resolving` and `disputed` while the result is not final; `resolved`
    once it is final, `amended` when the result was changed.
    """
    payout: MarketPayout | None
    """What one share pays, in USDC; both together are 1. Null until the result is confirmed."""
    lot: Decimal
    """The smallest step of the shares of an order."""
    terms: MarketTerms | None
    """The rules of the venue for orders."""
    venue: str
    """Where the market trades."""
    outcome_role: Literal["home", "away", "draw"] | None
    """What the first outcome stands for in its game; null where that is not certain."""
    exclusive_set: str | None
    """The group of markets in which exactly one resolves YES, such as home, draw and away of one game."""
    prices: ListedMarketPrices | None
    """Its best prices; null where they were not asked for, the market trades no more, or its book cannot be read now.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMarketPrices(Model):
    """ListedMarketPrices, as the service answers it."""

    fresh: bool
    """False after a gap in the data of the venue: nothing fills at these prices then."""
    at: datetime
    """When their newest part was received."""
    outcomes: tuple[ListedMarketPricesOutcome, ...]
    """First YES, then NO."""
    spread: Decimal | None
    """The ask less the bid, the same for both outcomes; null without both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedMarketPricesOutcome(Model):
    """ListedMarketPricesOutcome, as the service answers it."""

    token: Literal["YES", "NO"]
    """The outcome."""
    bid: Decimal | None
    """The best price at which it could be sold, in USDC; null without one."""
    ask: Decimal | None
    """The best price at which it could be bought, in USDC; null without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketHistory(Model):
    """MarketHistory, as the service answers it."""

    data: tuple[MarketHistoryPoint, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MarketHistoryPoint(Model):
    """MarketHistoryPoint, as the service answers it."""

    at: datetime
    """The end of the minute, in the time of the market: on a tape, that of the tape."""
    bid: Decimal | None
    """The best price at which it could be sold; null without one."""
    ask: Decimal | None
    """The best price at which it could be bought; null without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityPointList(Model):
    """EquityPointList, as the service answers it."""

    data: tuple[EquityPoint, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EquityPoint(Model):
    """EquityPoint, as the service answers it."""

    paper: bool
    """False for real money."""
    strategy_id: str | None
    """The strategy whose part this is; null for the whole account."""
    at: datetime
    """The time of the figures."""
    cash_usdc: Decimal | None
    """Cash, reserved cash included, in USDC; null for a strategy."""
    redeemable_usdc: Decimal | None
    """What results paid in real money and must still be redeemed on the chain before it is cash, in USDC; null for a
    strategy.
    """
    equity_usdc: Decimal | None
    """`cash_usdc`, `redeemable_usdc` and `value_usdc` together; null for a strategy."""
    value_usdc: Decimal
    """What all open positions could be sold for, in USDC; those without a mark are valued at cost."""
    realised_usdc: Decimal
    """Of all positions, closed ones too, in USDC, before fees. May be negative."""
    unrealised_usdc: Decimal
    """`value_usdc` less what the open positions cost. May be negative."""
    fees_usdc: Decimal
    """All fees that were paid, in USDC."""
    profit_usdc: Decimal
    """Realised and unrealised, less fees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventPage(Model):
    """EventPage, as the service answers it."""

    data: tuple[Event, ...]
    next_after: str
    """The `after` of the next page; with `before`, that of what happens later."""
    next_before: str | None
    """The `before` of the next page, of older events; null where there are none, and without `before`."""
    head: str
    """The number of the account's last event: what `next_after` is once all was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TradingHistory(Model):
    """TradingHistory, as the service answers it."""

    data: tuple[TradingState, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarms(Model):
    """Alarms, as the service answers it."""

    data: tuple[Alarm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm(Model):
    """Alarm, as the service answers it."""

    scope: Literal["account", "service"]
    """Whether it is about the account, or about the whole service."""
    kind: AlarmKind
    """What is wrong, as a stable word."""
    subject: str
    """What it is about: the id of an order or a webhook, what a strategy holds, the name of a venue, a scope of trading;
    empty for the whole service.
    """
    detail: str
    """What was found."""
    since: datetime
    """Since when."""
    title: str
    """What is wrong, in a few words."""
    meaning: str
    """What it means for money."""
    what_to_do: str
    """What to do."""
    urgent: bool
    """True of one that a person should be woken for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerList(Model):
    """ServerList, as the service answers it."""

    data: tuple[Server, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Server(Model):
    """Server, as the service answers it."""

    id: str
    """One start of one server: its machine, its process, and chance."""
    version: str
    """The version of stakeport that it runs."""
    runs_strategies: bool
    """Whether it may decide for strategies: `AUTOMATION=on`."""
    holds: tuple[Literal["paper", "delivery"], ...]
    """What it alone does now: `paper` matches paper orders and decides for strategies, `delivery` sends webhooks."""
    is_answering: bool
    """Whether it is the one that answers this request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyList(Model):
    """KeyList, as the service answers it."""

    data: tuple[Key, ...]
    next_cursor: str | None


class _WebhookInput(TypedDict):
    # Where to send them: https, of the public Internet.
    url: str


class WebhookInput(_WebhookInput, total=False):
    # Signed requests to a program.
    kind: Literal["webhook"]
    # The types of events to send; empty or absent for all.
    types: Sequence[EventType]
    # In your own words.
    description: str


class _TelegramInput(TypedDict):
    # Messages of a Telegram bot, in words.
    kind: Literal["telegram"]
    # The chat that the bot writes to: its number, or the `@name` of a channel.
    chat_id: int | str
    # The token of the bot. It is kept sealed, and never shown.
    token: str


class TelegramInput(_TelegramInput, total=False):
    # The topic of a group that has topics; null for none.
    thread_id: int | None
    # The numbers of the Telegram users who may command the account from the chat, with the rights of the credential
    # that sets this; empty for nobody. Another chat or token empties it.
    commands_from: Sequence[int]
    # Hours in which only what is urgent is sent; null for none. What waited is one message at their end.
    quiet_hours: TelegramQuietHoursInput | None
    # When the daily summary is sent; null for none.
    summary_at: str | None
    # The time zone of both; null for DAY_ZONE of the server.
    zone: str | None
    # How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once.
    gather_seconds: int
    # The types of events to send; empty or absent for all.
    types: Sequence[EventType]
    # In your own words.
    description: str


TelegramQuietHoursInput = TypedDict("TelegramQuietHoursInput", {"from": "str", "to": "str"})


class _NtfyInput(TypedDict):
    # Messages of a topic of an ntfy server, in words.
    kind: Literal["ntfy"]
    # The address of the ntfy server.
    url: str
    # The topic. Where it needs no token, whoever guesses it reads along.
    topic: str


class NtfyInput(_NtfyInput, total=False):
    # An access token. It is kept sealed, and never shown. Null for none.
    token: str | None
    # Hours in which only what is urgent is sent; null for none. What waited is one message at their end.
    quiet_hours: TelegramQuietHoursInput | None
    # When the daily summary is sent; null for none.
    summary_at: str | None
    # The time zone of both; null for DAY_ZONE of the server.
    zone: str | None
    # How long it must be quiet before a message is sent; three times as long at the latest. 0 for at once.
    gather_seconds: int
    # The types of events to send; empty or absent for all.
    types: Sequence[EventType]
    # In your own words.
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookList(Model):
    """WebhookList, as the service answers it."""

    data: tuple[WebhookStatus, ...]


class ReplayWebhookSeqInput(TypedDict):
    # The number of the event to send once more.
    seq: str


class ReplayWebhookAfterInput(TypedDict):
    # Everything that it wants after this event.
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryList(Model):
    """DeliveryList, as the service answers it."""

    data: tuple[Delivery, ...]
    next_cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery(Model):
    """Delivery, as the service answers it."""

    seq: str
    """The number of the event in the account's log."""
    type: EventType
    """The type of the event."""
    order_id: str | None
    """The order that it is about; null where it is about none."""
    state: Literal["waiting", "given_up"]
    """`waiting` for its next try, or `given_up` after the last."""
    tries: int
    """How often it was sent; 0 where it waits for an earlier event of its order."""
    next_at: datetime | None
    """When it is sent again; null where it was given up."""
    tried_at: datetime | None
    """When it was last sent; null before."""
    status: int | None
    """The HTTP status of the last answer; null where there was none."""
    said: str
    """The first 200 characters of that answer, or why there was none."""


MarketUpdate = Union[Market, BookUpdate, TradeUpdate, ResultUpdate, GapUpdate]

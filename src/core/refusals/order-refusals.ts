import { LIMIT_NAMES, limitOf, type RefusingState } from '../limits/limits.js';
import { DAY_LIMITS } from '../strategy/rules/rule-members.js';

/** Who refuses, what to do about it, and what a refused bet waits for, where that is not another price. */
export type OrderRefusal = readonly [
  by: 'stakeport' | 'venue' | 'not known yet',
  help: string,
  waitsFor?: RefusingState | undefined,
];

const ANEW = 'Nothing was sent: place a new order.';
const OPERATOR = 'The account is halted until an operator releases it.';

/** Those of the limits of an account. */
const OF_LIMITS: Readonly<Record<string, OrderRefusal>> = Object.fromEntries(
  LIMIT_NAMES.map(limitOf).map(({ code, help, waitsFor }) => [code, ['stakeport', help, waitsFor]]),
);

/** Those of the rules of strategies. */
const OF_RULES: Readonly<Record<string, OrderRefusal>> = Object.fromEntries(
  DAY_LIMITS.map(({ code, help }) => [code, ['stakeport', help, 'day']]),
);

/** Every code that the `error` of an order can begin with: ours are `denied`, those of the venue `rejected`. */
export const ORDER_REFUSALS = {
  size_below_lot: ['stakeport', 'The size buys less than one lot (0.01 share) at this price. Increase it.'],
  size_too_large: ['stakeport', 'More shares than the books can hold. Reduce the size, or split the order.'],
  account_full: [
    'stakeport',
    'More shares, cash or profit could result than the books can hold (about 2 billion shares). ' +
      'Reduce the size, sell, or have the paper account reset.',
  ],
  expiry_in_past: [
    'stakeport',
    '`expires_at` had passed when the order was recorded. Place a new order with a later one.',
  ],
  fee_unknown: [
    'stakeport',
    'The venue does not report the fee of this market, so the cost of the order is unknown. Trade another market.',
  ],
  strategy_paused: ['stakeport', 'The strategy is paused. Resume it, and place a new order.'],
  approval_required: [
    'stakeport',
    'A BUY under a strategy with `automation: approve`: it buys what a person approves. Have its rules ask, by a signal of yours, or set its `automation` to `off` or `auto`. A SELL passes.',
  ],
  strategy_archived: [
    'stakeport',
    'The strategy was archived before the order was sent. Place it under another one, or under none.',
  ],
  strategy_paper_only: ['stakeport', 'The strategy was made paper only before the order was sent. Nothing was sent.'],
  stake_cap_exceeded: ['stakeport', '`size_usdc` is above `stake_cap` of the strategy. Reduce it, or raise the cap.'],
  bankroll_cap_exceeded: [
    'stakeport',
    'What the strategy has at work and what this order may cost, fees included, are above `bankroll_cap`. Wait, reduce the size, or raise the cap.',
  ],
  other_outcome_held: [
    'stakeport',
    'The venue keeps one net position of this market (`terms.nets_outcomes`), and the account holds the other outcome, or a working order may still buy it. Sell or cancel that first; paper and real money are apart.',
    'held',
  ],
  insufficient_balance: [
    'stakeport',
    'The free cash of the account is below what the order may cost, fees included. Cancel resting orders, or reduce the size.',
  ],
  insufficient_position: [
    'stakeport',
    'A SELL of more shares than the account holds free of other orders. Sell what `GET /v1/portfolio` shows.',
  ],
  ...OF_LIMITS,
  ...OF_RULES,
  reexecution_throttled: [
    'stakeport',
    'The strategy was filled in this outcome five times within ten minutes: it may be in a loop. Only orders of it pass that lower a worst case, until a person lets it go on (`POST /v1/trading/state` with its scope and `active`).',
  ],
  self_cross: [
    'stakeport',
    'A working order of the account in this market would trade with this one. Cancel it first, or set another price. Tested for an account that has limits, and where the venue keeps one net position of a market.',
  ],
  trading_halted: [
    'stakeport',
    'Trading is halted; the message says by whom and why, and `GET /v1/trading/state` what is in force. Cancellations pass. Nothing was sent.',
    'trading',
  ],
  trading_reducing: [
    'stakeport',
    'Only orders that lower a worst case are accepted now: a SELL of shares held, or a BUY of the other outcome up to the shares held. The message says by whom and why.',
    'trading',
  ],
  live_disabled: [
    'stakeport',
    'Live trading was turned off for the account before the order was sent. Nothing was sent.',
  ],
  market_data_stale: [
    'stakeport',
    'The book of the market may be out of date; or a limit needs a fresh price that is missing, of this market or of one in which shares are held. Wait until `fresh` of the book is true, and place a new order.',
  ],
  market_closed: ['venue', 'The market has ended or has a result. It takes no more orders.'],
  market_not_accepting_orders: [
    'venue',
    'The market takes no orders now. Check `terms.accepting_orders`, and try again later.',
  ],
  invalid_tick: [
    'venue',
    'The price is not a multiple of `terms.tick`, or is less than a tick from 0 or 1. The tick may change while a market trades: read it again.',
  ],
  size_below_minimum: ['venue', 'Fewer shares than `terms.min_shares`. Increase the size.'],
  notional_below_minimum: [
    'venue',
    'A BUY that would match at once for less than `terms.min_notional_usdc`. Increase the size.',
  ],
  invalid_expiration: [
    'venue',
    '`expires_at` of a GTD order is too early: it must be at least two minutes after the order arrives. Set a later one.',
  ],
  post_only_would_cross: ['venue', 'A post-only order would have matched at once. Set a price that rests.'],
  fok_not_filled: [
    'venue',
    'A FOK order could not be filled completely at once. Nothing was filled. Use FAK to take what is available.',
  ],
  fak_no_match: ['venue', 'A FAK order found nothing within its price. Nothing was filled.'],
  never_arrived: [
    'venue',
    'The venue never received the order. Nothing was filled, and the money is free again: place a new one if still needed.',
  ],
  fill_failed: ['venue', 'The venue reversed every fill of the order, which therefore `failed`. The money is back.'],
  outcome_unknown: [
    'not known yet',
    'The venue has not said whether it has the order. Its money stays reserved, it is never sent again, and the server keeps looking for it. Do not replace it before it has another status.',
  ],
  // For orders with real money only: ours before they are sent, the venue's afterwards.
  live_halted: [
    'stakeport',
    'Live trading of the account was halted before the order was sent. Nothing was sent. An operator has to release it.',
  ],
  order_cap_exceeded: [
    'stakeport',
    'The order is worth more than this server allows (`LIVE_MAX_ORDER_USDC`). Reduce the size, or split it.',
  ],
  market_unlisted: [
    'stakeport',
    'The venue does not report the ids that an order is signed for. Read the market again.',
  ],
  market_terms_unknown: ['stakeport', 'The venue does not report the terms of the market. Try again later.'],
  invalid_post_only: ['stakeport', 'An order that fills at once cannot be post-only. Use GTC or GTD.'],
  expiry_too_near: [
    'stakeport',
    '`expires_at` is earlier than the venue accepts. Set it a little more than two minutes ahead.',
  ],
  invalid_amounts: [
    'stakeport',
    'These amounts do not fit the decimals that the venue accepts. The message says what does.',
  ],
  envelope_unreadable: ['stakeport', `The record of what to sign is damaged. Alert an operator. ${ANEW}`],
  environment_changed: [
    'stakeport',
    `The order was made for another environment of the venue: for its play money, or for its real money. ${ANEW}`,
  ],
  signing_refused: [
    'stakeport',
    'The signer refuses this order: another wallet or chain, or more money than `LIVE_MAX_ORDER_USDC`. Nothing was sent.',
  ],
  signer_failed: ['stakeport', `The signer did not answer. ${ANEW}`],
  not_sent: ['stakeport', `The venue could not be reached in time. ${ANEW}`],
  identity_mismatch: [
    'stakeport',
    'The venue has named another order than the one that was signed, so nothing more is sent until an operator has checked.',
  ],
  venue_rejected: ['venue', 'The venue refused the order for an undocumented reason; the message quotes it.'],
  insufficient_funds: [
    'venue',
    'The wallet has too little money or shares at the venue, or its allowance is too low; a balance that just changed may be stale there for a moment. `stakeport doctor` checks it.',
  ],
  amount_precision: [
    'venue',
    'An amount has more decimals than the venue accepts. Order whole shares, or let the order rest.',
  ],
  order_crosses: [
    'venue',
    'The venue did not let the order trade at once in the present state of its market. Try again.',
  ],
  cancelled_on_chain: ['venue', 'The order was cancelled on the chain. Place a new one.'],
  payload_refused: ['venue', 'The venue does not understand the order. Alert an operator.'],
  dropped_after_delay: [
    'venue',
    'The venue held the order for the delay of its market, and dropped it. Nothing was filled; place a new one if still needed.',
  ],
  engine_restarting: [
    'venue',
    'The engine of the venue restarted for longer than the order could wait. Place a new one later.',
  ],
  throttled: [
    'venue',
    'The venue limited the rate of requests for longer than the order could wait. Place a new one later.',
  ],
  trading_disabled: ['venue', 'The venue has stopped trading. Place a new order later.'],
  cancel_only: ['venue', 'The venue takes only cancellations. Place a new order later.'],
  post_only_mode: ['venue', 'The venue takes only post-only orders for a while. Place one, or wait.'],
  unauthorized: ['venue', `The venue does not accept the API key or the clock. ${OPERATOR}`],
  key_not_of_signer: ['venue', `The API key belongs to another address than the order. ${OPERATOR}`],
  wallet_type_refused: ['venue', `The venue does not take orders of this type of wallet. ${OPERATOR}`],
  address_banned: ['venue', `The venue has banned the address. ${OPERATOR}`],
  closed_only: ['venue', `The account may only reduce what it holds. ${OPERATOR}`],
  region_attestation_expired: [
    'venue',
    `The attestation of the location of the account has lapsed. Renew it on the web page of the venue. ${OPERATOR}`,
  ],
  risk_limit: ['venue', 'The order would exceed a limit of the venue. Reduce the size.'],
  region_restricted: ['venue', `The venue does not serve the region of the requests. ${OPERATOR}`],
  forbidden: ['venue', `The venue forbids trading. ${OPERATOR}`],
  order_version_mismatch: [
    'venue',
    `The venue requires another version of orders than this program signs. Update the program. ${OPERATOR}`,
  ],
  cancellation_unknown: [
    'not known yet',
    'The order is `unknown`, and its cancellation was sent. If the order appears later, it is cancelled then.',
  ],
} as const satisfies Readonly<Record<string, OrderRefusal>>;

const BY_CODE: Readonly<Record<string, OrderRefusal>> = ORDER_REFUSALS;

/** What a bet waits for whose order was refused by this code; null where another price may do. */
export const refusingState = (code: string | null): RefusingState | null => BY_CODE[code ?? '']?.[2] ?? null;

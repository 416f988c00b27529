import { LIVE_REFUSALS } from './live-refusals.js';

/** Who says no, and what to do about it. */
export type OrderRefusal = readonly [by: 'stakeport' | 'exchange' | 'nobody yet', help: string];

/** Every code that the `error` of an order can begin with: ours come with `denied`, those of the exchange with `rejected`. */
export const ORDER_REFUSALS = {
  size_below_lot: ['stakeport', 'The size buys less than one lot (0.01 share) at this price. Ask for more.'],
  size_too_large: ['stakeport', 'More shares than can be kept in the books. Ask for less, or split the order.'],
  account_full: [
    'stakeport',
    'With this BUY the account could come to more shares, cash or profit than can be kept in the books (about 2 billion shares). ' +
      'Ask for less, sell, or have the paper account reset.',
  ],
  expiry_in_past: [
    'stakeport',
    '`expires_at` was over when the order went on record. Place a new order with a later one.',
  ],
  fee_unknown: [
    'stakeport',
    'The exchange does not tell what this market charges, so that nobody knows what the order costs. Trade another market.',
  ],
  strategy_paused: ['stakeport', 'The strategy is paused. Resume it, and place a new order.'],
  strategy_archived: [
    'stakeport',
    'The strategy was archived before the order was sent. Place it under another one, or under none.',
  ],
  strategy_paper_only: ['stakeport', 'The strategy was made paper only before the order was sent. Nothing was sent.'],
  stake_cap_exceeded: [
    'stakeport',
    '`size_usdc` is above `stake_cap` of the strategy. Ask for less, or raise the cap.',
  ],
  bankroll_cap_exceeded: [
    'stakeport',
    'What the strategy has at work and what this order may cost, fees included, are above `bankroll_cap`. Wait until orders end or markets settle, ask for less, or raise the cap.',
  ],
  insufficient_balance: [
    'stakeport',
    'The free cash of the account is below what the order may cost, fees included. Cancel orders that rest, or ask for less.',
  ],
  insufficient_position: [
    'stakeport',
    'A SELL of more shares than the account holds and has not promised to other orders. Sell what `GET /v1/portfolio` shows.',
  ],
  live_disabled: [
    'stakeport',
    'Live trading was turned off for the account before the order was sent. Nothing was sent.',
  ],
  market_data_stale: [
    'stakeport',
    'The book of the market may be out of date, so that nobody can tell what the order would have met. Wait until `fresh` of the book is true, and place a new order.',
  ],
  market_closed: ['exchange', 'The market has ended or has a result. No order is taken any more.'],
  market_not_accepting_orders: [
    'exchange',
    'The market takes no orders now. Look at `terms.accepting_orders`, and try again later.',
  ],
  invalid_tick: [
    'exchange',
    'The price is not a multiple of `terms.tick`, or less than a tick from 0 or 1. The tick may change while a market trades: read it again.',
  ],
  size_below_minimum: ['exchange', 'Fewer shares than `terms.min_shares`. Ask for more.'],
  notional_below_minimum: [
    'exchange',
    'A BUY that would match at once for less than `terms.min_notional_usdc`. Ask for more.',
  ],
  invalid_expiration: [
    'exchange',
    '`expires_at` of a GTD order is too near: it has to be two minutes after the order arrives. Give it longer.',
  ],
  post_only_would_cross: ['exchange', 'A post-only order would have matched at once. Set a price that rests.'],
  fok_not_filled: [
    'exchange',
    'A FOK order could not be filled whole at once. Nothing was filled. Use FAK to take what there is.',
  ],
  fak_no_match: ['exchange', 'A FAK order found nothing within its price. Nothing was filled.'],
  never_arrived: [
    'exchange',
    'The exchange never received the order. Nothing was filled, and the money is free again: place a new one if you still want it.',
  ],
  fill_failed: ['exchange', 'The exchange undid every fill of the order, which therefore `failed`. The money is back.'],
  outcome_unknown: [
    'nobody yet',
    'The order is `unknown`: the exchange has not said whether it has it. Its money stays reserved, it is never sent again, and it is looked for. Do not replace it before it has another status.',
  ],
  ...LIVE_REFUSALS,
} as const satisfies Record<string, OrderRefusal>;

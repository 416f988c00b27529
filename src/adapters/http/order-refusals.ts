/** Who says no, and what to do about it. */
export type OrderRefusal = readonly [by: 'stakeport' | 'exchange' | 'nobody yet', help: string];

const ANEW = 'Nothing was sent: place it anew.';
const OPERATOR = 'The account is halted until an operator has looked and released it.';

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
  // Of orders with real money alone: before they are sent by us, afterwards by the exchange.
  live_halted: [
    'stakeport',
    'Live trading of the account was halted before the order was sent. Nothing was sent. An operator has to look, and release it.',
  ],
  order_cap_exceeded: [
    'stakeport',
    'The order is worth more than one may be on this server (`LIVE_MAX_ORDER_USDC`). Ask for less, or split it.',
  ],
  market_unlisted: [
    'stakeport',
    'The exchange does not tell the ids that an order is signed for. Look the market up again.',
  ],
  market_terms_unknown: ['stakeport', 'The exchange does not tell the terms of the market. Try again later.'],
  invalid_post_only: ['stakeport', 'An order that fills at once cannot be post-only. Use GTC or GTD.'],
  expiry_too_near: [
    'stakeport',
    '`expires_at` is nearer than the exchange takes. Give it at least two minutes and a bit.',
  ],
  invalid_amounts: [
    'stakeport',
    'The exchange cannot be told these amounts in the decimals that it takes. The message says what would do.',
  ],
  envelope_unreadable: [
    'stakeport',
    `What was to be signed is not on record as it should be. Tell an operator. ${ANEW}`,
  ],
  signing_refused: [
    'stakeport',
    'The signer does not sign this order: another wallet or chain, or more money than `LIVE_MAX_ORDER_USDC`. Nothing was sent.',
  ],
  signer_failed: ['stakeport', `The signer did not answer. ${ANEW}`],
  not_sent: ['stakeport', `The exchange could not be reached in time. ${ANEW}`],
  identity_mismatch: [
    'stakeport',
    'The exchange has named another order than the one that was signed, so that nothing is sent any more until an operator has looked.',
  ],
  venue_rejected: [
    'exchange',
    'The exchange refused the order for a reason that is not in its documents; the message quotes it.',
  ],
  insufficient_funds: [
    'exchange',
    'The wallet has too little money or shares at the exchange, or its allowance is too low; a balance that just moved may be old there for a moment. `stakeport doctor` tells.',
  ],
  amount_precision: [
    'exchange',
    'An amount has more decimals than the exchange takes. Ask for whole shares, or let the order rest.',
  ],
  order_crosses: [
    'exchange',
    'The exchange would not let the order trade at once in the state its market is in. Try again.',
  ],
  cancelled_on_chain: ['exchange', 'The order was cancelled in the contract. Place a new one.'],
  payload_refused: ['exchange', 'The exchange does not understand the order. Tell an operator.'],
  dropped_after_delay: [
    'exchange',
    'The exchange held the order for the delay of its market, and dropped it. Nothing was filled; place a new one if you still want it.',
  ],
  engine_restarting: [
    'exchange',
    'The engine of the exchange restarted for longer than the order could wait. Place a new one later.',
  ],
  throttled: [
    'exchange',
    'The exchange wanted fewer requests for longer than the order could wait. Place a new one later.',
  ],
  trading_disabled: ['exchange', 'The exchange has stopped trading. Place a new order later.'],
  cancel_only: ['exchange', 'The exchange takes only cancellations. Place a new order later.'],
  post_only_mode: ['exchange', 'The exchange takes only post-only orders for a while. Place one, or wait.'],
  unauthorized: ['exchange', `The exchange does not accept the API key or the clock. ${OPERATOR}`],
  key_not_of_signer: ['exchange', `The API key belongs to another address than the order. ${OPERATOR}`],
  wallet_type_refused: ['exchange', `The exchange does not take orders of this type of wallet. ${OPERATOR}`],
  address_banned: ['exchange', `The exchange has banned the address. ${OPERATOR}`],
  closed_only: ['exchange', `The account may only reduce what it holds. ${OPERATOR}`],
  region_restricted: ['exchange', `The exchange does not serve the place that the requests come from. ${OPERATOR}`],
  forbidden: ['exchange', `The exchange forbids trading. ${OPERATOR}`],
  order_version_mismatch: [
    'exchange',
    `The exchange takes another version of orders than is signed here. Update the program. ${OPERATOR}`,
  ],
  cancellation_unknown: [
    'nobody yet',
    'The order is `unknown` and its cancellation was asked for, which was sent at once by its identity. Should the order show up all the same, it is cancelled then.',
  ],
} as const satisfies Record<string, OrderRefusal>;

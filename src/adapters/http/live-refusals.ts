import type { OrderRefusal } from './order-refusals.js';

const ANEW = 'Nothing was sent: place it anew.';
const OPERATOR = 'The account is halted until an operator has looked and released it.';

/** The codes of orders with real money that paper never gives: before they are sent by us, afterwards by the exchange. */
export const LIVE_REFUSALS = {
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

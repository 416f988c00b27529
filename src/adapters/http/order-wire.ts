import * as v from 'valibot';
import type { AccountId, StrategyId } from '../../core/ids.js';
import { isDemo, OUTCOME_SIDES, TIMES_IN_FORCE } from '../../core/market/market.js';
import { SIDES } from '../../core/market/side.js';
import { isoText } from '../../core/moment.js';
import { formatMicro, isPrice, type Price, type Usdc } from '../../core/money.js';
import type { OrderDraft } from '../../core/order/draft.js';
import { orderDraft, termFaults } from '../../core/order/draft.js';
import { ORDER_STATUSES, type OrderStatus } from '../../core/order/lifecycle.js';
import type { Order } from '../../core/order/order.js';
import { statusOf } from '../../core/order/order.js';
import { orderedWords } from '../../core/order/order-words.js';
import { marketIdIn, venueNameIn } from './market-names.js';
import {
  amount,
  BETWEEN_0_AND_1,
  booleanText,
  decimalOut,
  describe,
  environmentOut,
  means,
  members,
  momentOut,
  momentText,
  oneOfWords,
  outcomeNameOut,
  POSITIVE,
  severalOf,
  uuid,
  uuidOut,
  wholeOut,
} from './schema.js';

const price = amount<Price>({
  holds: isPrice,
  words: 'greater than 0 and less than 1: it is the price of a share that pays 1',
  json: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
  example: 0.57,
  pattern: BETWEEN_0_AND_1,
});

const size = amount<Usdc>({
  holds: (micro) => micro > 0n,
  words: 'greater than 0',
  json: { exclusiveMinimum: 0 },
  example: 20,
  pattern: POSITIVE,
});

/** The meaning of members of requests and answers. */
const ABOUT = {
  token: 'YES is the first outcome of the market and NO the second, regardless of their labels.',
  side: 'BUY opens with money, SELL closes shares that are held.',
  time_in_force:
    'GTC rests until it fills or is cancelled, GTD rests until `expires_at`, FOK fills completely at once or not at all, FAK fills what it can at once and drops the rest.',
  expires_at: 'When a GTD order ends; null for every other.',
  post_only: 'True: it must rest, and is refused where it would match at once. For GTC and GTD.',
};

const body = members({
  market_id: means(marketIdIn, 'The id, the slug or the number of the market at the venue.'),
  token: means(oneOfWords(OUTCOME_SIDES), ABOUT.token),
  price: means(price, 'The limit, in USDC a share: greater than 0 and less than 1, with at most 6 decimals.'),
  size_usdc: means(
    size,
    'Money at the limit price, in USDC, greater than 0, with at most 6 decimals: what a BUY may spend, fees on top, and what a SELL should receive, before fees. The order is for `size_usdc / price` shares, down to a lot of 0.01.',
  ),
  side: v.optional(means(oneOfWords(SIDES), ABOUT.side), 'BUY'),
  paper: v.optional(means(v.boolean(), 'False for an order with real money; anything else is on paper.'), true),
  strategy_id: v.optional(
    v.nullable(means(uuid, 'The strategy whose caps and pause apply to the order; null or absent: none.')),
    null,
  ),
  time_in_force: v.optional(means(oneOfWords(TIMES_IN_FORCE), ABOUT.time_in_force), 'GTC'),
  expires_at: v.optional(v.nullable(means(momentText, 'When a GTD order ends; required for GTD.')), null),
  post_only: v.optional(means(v.boolean(), ABOUT.post_only), false),
  venue: v.optional(
    v.nullable(means(venueNameIn, 'Where the market trades; the default venue when null or absent.')),
    null,
  ),
});

/** The names of a draft's members in a body; the account is not in it. */
export const ON_WIRE = {
  marketId: 'market_id',
  outcome: 'token',
  side: 'side',
  price: 'price',
  size: 'size_usdc',
  timeInForce: 'time_in_force',
  expiresAt: 'expires_at',
  postOnly: 'post_only',
  paper: 'paper',
  strategyId: 'strategy_id',
  venue: 'venue',
} as const satisfies Record<Exclude<keyof OrderDraft, 'account'>, keyof typeof body.entries>;

/** The body of `POST /v1/exchange/orders`. */
export const placeOrderBody = v.pipe(
  body,
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const { time_in_force: timeInForce, expires_at: expiresAt, post_only: postOnly } = value;
    for (const { member, message } of termFaults({ timeInForce, expiresAt, postOnly })) {
      const key = ON_WIRE[member];
      addIssue({ message, path: [{ type: 'object', origin: 'value', input: value, key, value: value[key] }] });
    }
  }),
);

/** What lists of orders and of bets are filtered by alike, in the words of what is listed; `at` is the moment of a row. */
export function tradeFilters(
  rows: string,
  { ofMarket, ofStrategy, at }: Readonly<Record<'ofMarket' | 'ofStrategy' | 'at', string>>,
) {
  return {
    market_id: v.optional(means(marketIdIn, `Only ${rows} ${ofMarket} with this \`market_id\`.`)),
    venue: v.optional(means(venueNameIn, `Only ${rows} at this venue.`)),
    strategy_id: v.optional(means(uuid, `Only ${rows} ${ofStrategy} this strategy.`)),
    paper: v.optional(means(booleanText, `Only ${rows} on paper, or only those with real money.`)),
    placed_after: v.optional(means(momentText, `Only ${rows} with a later \`${at}\`.`)),
    placed_before: v.optional(means(momentText, `Only ${rows} with an earlier \`${at}\`.`)),
  };
}

/** The query of `GET /v1/exchange/orders`. */
export const orderFilters = {
  status: v.optional(
    means(
      describe(severalOf<OrderStatus>(ORDER_STATUSES, 'statuses of orders'), {
        type: 'string',
        pattern: `^(${ORDER_STATUSES.join('|')})(,(${ORDER_STATUSES.join('|')}))*$`,
      }),
      `Only orders with this status, or with one of several, separated by commas: ${ORDER_STATUSES.join(', ')}.`,
    ),
  ),
  ...tradeFilters('orders', { ofMarket: 'of the market', ofStrategy: 'placed under', at: 'placed_at' }),
  order: v.optional(means(oneOfWords(['newest', 'oldest']), 'Which come first; by default the newest.')),
};

/** An order as every route returns it: first the 17 original members, then the rest. */
export const orderOut = v.object({
  id: means(uuidOut, 'The id of the order here.'),
  market_id: means(v.string(), 'The id of the market at its venue; without market data, the id that the client sent.'),
  market_slug: means(v.nullable(v.string()), 'The readable name of the market at the venue; null without market data.'),
  condition_id: means(
    v.nullable(v.string()),
    'The condition id; null without market data, and where the venue has none.',
  ),
  question_snapshot: means(v.nullable(v.string()), 'What the market asked when the order was placed.'),
  token: means(v.picklist(OUTCOME_SIDES), ABOUT.token),
  side: means(v.picklist(SIDES), ABOUT.side),
  price: means(decimalOut, 'The limit, in USDC a share.', '0.57'),
  size_usdc: means(
    decimalOut,
    'Money at the limit price, as requested, in USDC: to be spent by a BUY, to be received by a SELL, before fees.',
    '20',
  ),
  status: means(
    v.picklist(ORDER_STATUSES),
    "The status of the order. `denied` is our refusal, `rejected` the venue's; `unknown`: the venue has not said whether it has the order; `failed`: it reversed every fill; `settled`: the result of the market is booked.",
  ),
  paper: means(v.boolean(), 'False for an order with real money.'),
  clob_order_id: means(v.nullable(v.string()), 'The id of the order at the venue; null until it has accepted it.'),
  filled_size_usdc: means(
    v.nullable(decimalOut),
    'The total of the fills at their prices, in USDC, before fees: paid by a BUY, received by a SELL. Null until the venue has accepted the order. Up to a lot less than `size_usdc` for an order that is filled.',
    '19.9956',
  ),
  return_usdc: means(
    v.nullable(decimalOut),
    'What came back, in USDC, once the market has its result: for a BUY what its filled shares pay, stake included; for a SELL its proceeds less fees. Null until then.',
    '35.08',
  ),
  error: means(
    v.nullable(v.string()),
    'Why it was refused, failed or is unknown: a code, a colon and a sentence. `/refusals` lists the codes.',
    'strategy_paused: The strategy is paused.',
  ),
  placed_at: means(momentOut, 'When the order was recorded.'),
  settled_at: means(v.nullable(momentOut), 'When the result, or the newest amendment of it, was booked.'),
  strategy_id: means(v.nullable(uuidOut), 'The strategy under which it was placed.'),
  strategy_version: means(v.nullable(wholeOut), 'The version of the strategy at that moment.', 1),
  time_in_force: means(v.picklist(TIMES_IN_FORCE), ABOUT.time_in_force),
  expires_at: means(v.nullable(momentOut), ABOUT.expires_at),
  post_only: means(v.boolean(), ABOUT.post_only),
  outcome_label: means(v.nullable(v.string()), 'The name of the outcome in its market.', 'Arsenal'),
  shares: means(decimalOut, 'Shares that were ordered: `size_usdc / price` in whole lots of 0.01.', '35.08'),
  filled_shares: means(decimalOut, 'Shares of all valid fills.', '35.08'),
  fees_usdc: means(
    decimalOut,
    'Fees of those fills, in USDC: on top for a BUY, out of the proceeds for a SELL.',
    '0.42985',
  ),
  updated_at: means(momentOut, 'When the newest event happened.'),
  venue: means(v.string(), 'Where the market trades; `none` without market data.', 'polymarket'),
  name: outcomeNameOut,
  decision_id: means(
    v.nullable(uuidOut),
    'The decision of its strategy that placed it, as in `GET /v1/decisions/{id}`; null where a client did.',
  ),
  environment: environmentOut,
});

/** The draft in a body. */
export function orderDraftOf(account: AccountId, body: v.InferOutput<typeof placeOrderBody>): OrderDraft {
  return orderDraft({
    account,
    venue: body.venue,
    marketId: body.market_id,
    outcome: body.token,
    side: body.side,
    price: body.price,
    size: body.size_usdc,
    timeInForce: body.time_in_force,
    expiresAt: body.expires_at,
    postOnly: body.post_only,
    paper: body.paper,
    strategyId: body.strategy_id as StrategyId | null,
  });
}

/** The answer for an order; every member is present, but for `environment`. */
export function presentOrder(order: Order): v.InferInput<typeof orderOut> {
  const { intent, filled, refusal, settlement } = order;
  const { strategy, expiresAt } = intent;
  return {
    id: order.id,
    market_id: intent.marketId,
    market_slug: intent.marketSlug,
    condition_id: intent.conditionId,
    question_snapshot: intent.question,
    token: intent.outcome,
    side: intent.side,
    price: formatMicro(intent.price),
    size_usdc: formatMicro(intent.size),
    status: statusOf(order),
    paper: intent.paper,
    clob_order_id: order.venueReference ?? order.venueOrderId,
    filled_size_usdc: order.venueOrderId === null ? null : formatMicro(filled.notional),
    return_usdc: settlement === null ? null : formatMicro(settlement.returned),
    error: refusal === null ? null : `${refusal.code}: ${refusal.message}`,
    placed_at: isoText(order.placedAt),
    settled_at: settlement === null ? null : isoText(settlement.at),
    strategy_id: strategy?.id ?? null,
    strategy_version: strategy?.version ?? null,
    time_in_force: intent.timeInForce,
    expires_at: expiresAt === null ? null : isoText(expiresAt),
    post_only: intent.postOnly,
    outcome_label: intent.outcomeLabel,
    shares: formatMicro(intent.shares),
    filled_shares: formatMicro(filled.shares),
    fees_usdc: formatMicro(filled.fees),
    updated_at: isoText(order.updatedAt),
    venue: intent.venue,
    name: orderedWords(intent),
    decision_id: intent.decisionId ?? null,
    ...(!intent.paper && isDemo(intent.venue) && { environment: 'demo' }),
  };
}

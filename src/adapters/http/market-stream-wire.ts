import * as v from 'valibot';
import type { MarketId } from '../../core/ids.js';
import { isoText } from '../../core/moment.js';
import { formatMicro } from '../../core/money.js';
import {
  type MarketNews,
  type MarketPosition,
  MOST_DEPTH,
  MOST_MARKETS_AT_ONCE,
} from '../../core/usecases/markets/background/market-subscriptions.js';
import { venueFilter } from './market-names.js';
import { levelsOut, marketOut, payoutOut, presentLevel, presentMarket, presentPayout } from './market-wire.js';
import { Problem } from './problem.js';
import { decimalOut, describe, means, momentOut } from './schema.js';
import { sentEvent } from './sent-event.js';

const POSITION = /^([0-9a-z-]{1,36})\.(0|[1-9][0-9]{0,14})$/;
const NOT_POSITION = 'must be an `id` of this stream';

const NAME = '[A-Za-z0-9._:-]{1,128}';
const MARKETS = new RegExp(`^${NAME}(,${NAME}){0,${MOST_MARKETS_AT_ONCE - 1}}$`);

const marketsIn = describe(
  v.pipe(
    v.string('must be given once'),
    v.regex(
      MARKETS,
      `must be 1 to ${MOST_MARKETS_AT_ONCE} ids or slugs of markets, separated by commas: each 1 to 128 ASCII letters, digits and . _ : -`,
    ),
    v.transform((text) => [...new Set(text.split(','))] as MarketId[]),
  ),
  {
    type: 'string',
    pattern: MARKETS.source,
    description: `Ids or slugs of markets of one venue, separated by commas, at most ${MOST_MARKETS_AT_ONCE}.`,
    examples: ['epl-ars-che-2026-12-05'],
  },
);

const depthIn = describe(
  v.pipe(
    v.string('must be given once'),
    v.regex(/^[1-9][0-9]{0,2}$/, `must be a whole number from 1 to ${MOST_DEPTH}`),
    v.transform(Number),
    v.check((depth) => depth <= MOST_DEPTH, `must be a whole number from 1 to ${MOST_DEPTH}`),
  ),
  {
    type: 'integer',
    minimum: 1,
    maximum: MOST_DEPTH,
    default: 1,
    description: 'How many levels of each side a `book` has; 1 is the best prices alone.',
  },
);

/** The query of `GET /v1/exchange/markets/stream`. */
export const marketStreamQuery = {
  market: marketsIn,
  depth: v.optional(depthIn),
  ...venueFilter,
  after: v.optional(
    describe(v.pipe(v.string('must be given once'), v.regex(POSITION, NOT_POSITION)), {
      type: 'string',
      pattern: POSITION.source,
      description: 'The last `id` of an earlier stream. The header `last-event-id` wins over it.',
    }),
  ),
};

/** Null for none. @throws Problem bad-request */
export function positionIn(text: string | undefined): MarketPosition | null {
  if (text === undefined || text === '') return null;
  const [, run = '', seq = ''] = POSITION.exec(text) ?? [];
  if (run === '') throw new Problem('bad-request', 'The header last-event-id is an `id` of this stream.');
  return { run, seq: Number(seq) };
}

/** The `id` by which a client comes back. */
export const positionText = ({ run, seq }: MarketPosition): string => `${run}.${seq}`;

const named = {
  market_id: means(v.string(), 'The id of the market at its venue.'),
  venue: means(v.string(), 'Where it trades.', 'polymarket'),
};
const at = means(momentOut, 'When it was heard, in the time of the market: on a tape, that of the tape.');

const streamedBookOut = v.object({
  ...named,
  token: means(v.literal('YES'), 'It is as holders of YES see it: a bid for NO at 0.4 is an ask of YES at 0.6.'),
  fresh: means(v.boolean(), 'False after a gap in the data of the venue: nothing fills against the book then.'),
  at: means(momentOut, 'When the newest of these levels was received.'),
  bids: means(levelsOut, 'Buy levels, highest price first.'),
  asks: means(levelsOut, 'Sell levels, lowest price first.'),
});

const tradeOut = v.object({
  ...named,
  token: means(v.literal('YES'), 'The price is that of YES.'),
  side: means(v.picklist(['BUY', 'SELL']), 'What the order did that came in, in terms of YES.'),
  price: means(decimalOut, 'In USDC a share.', '0.57'),
  size: means(decimalOut, 'How many shares.', '120'),
  at,
});

const resultOut = v.object({ ...named, payout: means(payoutOut, 'What one share pays, in USDC.'), at });

const GAP_REASONS = ['market_data', 'missed', 'restarted'] as const;
const gapOut = v.object({
  market_id: means(v.nullable(v.string()), 'The id of the market at its venue; null for all of the stream.'),
  venue: means(v.nullable(v.string()), 'Where it trades; null for all of the stream.', 'polymarket'),
  reason: means(
    v.picklist(GAP_REASONS),
    '`market_data`: the data of the venue had a hole. `missed`: you read too slowly, or were away for too long. `restarted`: your `id` is of another server, or of one that has restarted.',
  ),
  at,
});

/** The `data` of an event of the stream: of `market`, `book`, `trade`, `result` and `gap`. */
export const marketStreamOut = v.union([marketOut, streamedBookOut, tradeOut, resultOut, gapOut]);

/** An update as it is sent. */
export function updateText(update: MarketNews, run: string): string {
  const id = update.seq === null ? undefined : positionText({ run, seq: update.seq });
  return sentEvent(update.type, dataOf(update), id);
}

function dataOf(update: MarketNews): v.InferInput<typeof marketStreamOut> {
  const heard = isoText(update.at);
  const name = { market_id: update.market?.id ?? null, venue: update.market?.venue ?? null };
  if (update.type === 'gap') return { ...name, reason: update.reason, at: heard };
  const ofMarket = { market_id: update.market.id, venue: update.market.venue };
  switch (update.type) {
    case 'market':
      return presentMarket(update.market);
    case 'result':
      return { ...ofMarket, payout: presentPayout(update.payout), at: heard };
    case 'trade': {
      const { taker: side, price, shares } = update;
      return { ...ofMarket, token: 'YES', side, price: formatMicro(price), size: formatMicro(shares), at: heard };
    }
    case 'book': {
      const { fresh, bids, asks } = update.book;
      const sides = { bids: bids.map(presentLevel), asks: asks.map(presentLevel) };
      return { ...ofMarket, token: 'YES', fresh, at: heard, ...sides };
    }
  }
}

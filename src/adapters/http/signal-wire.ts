import * as v from 'valibot';
import type { MarketId, VenueName } from '../../core/ids.js';
import { formatMicro } from '../../core/money.js';
import {
  isProbability,
  type Probability,
  SIGNAL_NAME_WORDS,
  SIGNALS_AT_ONCE,
  type Signal,
  type SignalDraft,
  type SignalKey,
  type SignalName,
  signalNamed,
} from '../../core/signal/signal.js';
import type { FaultInSignals } from '../../core/signal/signal-errors.js';
import { JsonNumber } from './json-reader.js';
import { marketIdIn, venueNameIn } from './market-names.js';
import type { FieldError } from './problem.js';
import {
  amount,
  BETWEEN_0_AND_1,
  decimalOut,
  describe,
  means,
  members,
  momentOut,
  momentText,
  textOfLength,
} from './schema.js';

/** A label has at most so many characters. */
const LONGEST_LABEL = 200;
const LONGEST_SOURCE = 200;

const probability = amount<Probability>({
  holds: isProbability,
  words: 'greater than 0 and less than 1',
  json: { exclusiveMinimum: 0, exclusiveMaximum: 1 },
  example: 0.57,
  pattern: BETWEEN_0_AND_1,
});

const ABOUT = {
  name: `The name of the model: ${SIGNAL_NAME_WORDS}.`,
  marketId: 'The id, the slug or the number of the market at the venue.',
  venue: 'Where the market trades; the default venue when null or absent.',
  probabilities:
    'How probable each outcome is, by its label, in any case: greater than 0 and less than 1, with at most 6 decimals. Of the two outcomes of a market, one that is missing is the complement of the other; both add up to 0.98 to 1.02.',
  expiresAt:
    'From then on the signal is never used. In the future, at most 30 days ahead, by the time of the markets: that of a tape where one is played.',
  source: 'Where it comes from, in your own words, such as the version of the model; null or absent: nothing.',
};

/** The labels are for the core to judge, which knows the market. */
const probabilities = describe(
  v.pipe(
    v.unknown(),
    // A number is an object that has its digits.
    v.check((value) => !Array.isArray(value) && !(value instanceof JsonNumber), 'must be an object'),
    v.record(
      v.pipe(v.string(), v.maxLength(LONGEST_LABEL, `must have at most ${LONGEST_LABEL} characters`)),
      probability,
      'must be an object',
    ),
    v.check((value) => [1, 2].includes(Object.keys(value).length), 'must name one outcome, or both'),
    v.transform((value): ReadonlyMap<string, Probability> => new Map(Object.entries(value))),
  ),
  {
    type: 'object',
    minProperties: 1,
    maxProperties: 2,
    propertyNames: { type: 'string', maxLength: LONGEST_LABEL },
    additionalProperties: {
      anyOf: [
        { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
        { type: 'string', pattern: BETWEEN_0_AND_1 },
      ],
    },
    examples: [{ Arsenal: 0.57 }],
  },
);

const said = {
  probabilities: means(probabilities, ABOUT.probabilities),
  expires_at: means(momentText, ABOUT.expiresAt),
  source: v.optional(v.nullable(means(textOfLength(1, LONGEST_SOURCE), ABOUT.source)), null),
  venue: v.optional(v.nullable(means(venueNameIn, ABOUT.venue)), null),
};

/** The body of `PUT /v1/signals/{name}/{market_id}`. */
export const putSignalBody = members(said);

/** The body of `PUT /v1/signals/{name}`. */
export const putSignalsBody = members({
  signals: means(
    v.pipe(
      v.array(members({ market_id: means(marketIdIn, ABOUT.marketId), ...said })),
      v.minLength(1, 'must have at least one signal'),
      v.maxLength(SIGNALS_AT_ONCE, `must have at most ${SIGNALS_AT_ONCE} signals`),
    ),
    `1 to ${SIGNALS_AT_ONCE} signals, each of another market. All are stored, or none.`,
  ),
});

const nameIn = describe(
  v.pipe(
    v.string('must be given once'),
    v.check((text) => signalNamed(text) !== undefined, `must be ${SIGNAL_NAME_WORDS}`),
    v.transform((text) => text as SignalName),
  ),
  { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$' },
);

/** The query of `GET /v1/signals`. */
export const signalFilters = {
  name: v.optional(means(nameIn, 'Only signals of the model of this name.')),
  market_id: v.optional(means(marketIdIn, 'Only signals of the market with this `market_id`, as the answers have it.')),
};

/** A signal as every route returns it. */
export const signalOut = v.object({
  name: means(v.string(), ABOUT.name, 'elo-2'),
  market_id: means(v.string(), "The venue's own id of the market.", 'epl-ars-che-2026-12-05'),
  venue: means(v.string(), 'Where the market trades.', 'polymarket'),
  probabilities: means(
    v.record(v.string(), decimalOut),
    'How probable each outcome is, by its label as the market spells it, the first outcome first.',
  ),
  expires_at: means(momentOut, 'From then on the signal is never used. It is removed within the hour.'),
  source: means(v.nullable(v.string()), 'Where it comes from; null where that was not said.', 'elo-2 of 5 December'),
  updated_at: means(momentOut, 'When it was put, by the time of the markets.'),
});

/** What was stored, in the order of the request. */
export const signalsOut = v.object({ data: v.array(signalOut) });

/** The draft in a body. */
export function signalDraftOf(
  marketId: MarketId,
  { probabilities: given, expires_at: expiresAt, source, venue }: v.InferOutput<typeof putSignalBody>,
): SignalDraft {
  return { venue, marketId, probabilities: given, expiresAt, source };
}

/** The answer for a signal. */
export function presentSignal({ first, second, ...signal }: Signal): v.InferInput<typeof signalOut> {
  const { name, marketId, venue, expiresAt, source, updatedAt } = signal;
  const shown = [first, second].map(({ label, probability: micro }) => [label, formatMicro(micro)] as const);
  return {
    name,
    market_id: marketId,
    venue,
    probabilities: Object.fromEntries(shown),
    expires_at: expiresAt.toISOString(),
    source,
    updated_at: updatedAt.toISOString(),
  };
}

/** The key of a signal as a cursor has it. */
export const signalCursor = ({ name, venue, marketId }: SignalKey): string => `${name}/${venue}/${marketId}`;

/** The key in such a text; the account is that of the caller. */
export function signalPlace(account: SignalKey['account'], text: string): SignalKey {
  const [name = '', venue = '', marketId = ''] = text.split('/');
  return { account, name: name as SignalName, venue: venue as VenueName, marketId: marketId as MarketId };
}

const ON_WIRE: Readonly<Record<string, string>> = { marketId: 'market_id', expiresAt: 'expires_at' };
const LONGEST_POINTER = 200;

/** A fault with its pointer into the body, below `root`. */
export function signalFieldError(root: string, { member, label, words: detail }: FaultInSignals): FieldError {
  const part = label === null ? '' : `/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return { pointer: `${root}/${ON_WIRE[member] ?? member}${part}`.slice(0, LONGEST_POINTER), detail };
}

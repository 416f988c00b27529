import type { MarketId } from '../../src/core/ids.js';
import type { Market } from '../../src/core/market/market.js';
import { parseMicro } from '../../src/core/money.js';
import type { Probability, Signal, SignalDraft, SignalName } from '../../src/core/signal/signal.js';
import { ALICE, MARKET, NOON, WHERE } from './builders.js';
import { aMarket } from './scripted-market.js';

export const MODEL = 'elo-2' as SignalName;
export const AT_ONE = new Date('2026-03-01T13:00:00.000Z');
const LABELS = { first: 'Bucks', second: 'Thunder' } as const;

export const probability = (text: string): Probability => parseMicro(text) as Probability;

/** What the model of Alice says of a game, until one o'clock. */
export function aSignal(changes: Partial<Signal> = {}): Signal {
  return {
    account: ALICE,
    name: MODEL,
    ...WHERE,
    first: { label: LABELS.first, probability: probability('0.57') },
    second: { label: LABELS.second, probability: probability('0.43') },
    expiresAt: AT_ONE,
    source: 'a test',
    updatedAt: new Date(NOON),
    ...changes,
  };
}

/** Probabilities by label, as a client writes them. */
export const given = (texts: Readonly<Record<string, string>>): ReadonlyMap<string, Probability> =>
  new Map(Object.entries(texts).map(([label, text]) => [label, probability(text)]));

export function aSignalDraft(changes: Partial<SignalDraft> = {}): SignalDraft {
  const probabilities = given({ Bucks: '0.57' });
  return { venue: null, marketId: MARKET, probabilities, expiresAt: AT_ONE, source: null, ...changes };
}

/** A game between the Bucks and the Thunder, under this id. */
export const aGame = (id: MarketId, changes: Partial<Market> = {}): Market =>
  aMarket({}, { id, slug: `game-${id}`, ...changes });

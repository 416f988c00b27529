import type { Rules } from '../../core/strategy/rules.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import {
  document,
  flagColumn,
  microColumn,
  momentColumn,
  orNull,
  type Shape,
  textColumn,
  wholeColumn,
} from './columns.js';
import { table } from './table.js';

/** Micro-units in a document: a JSON number could lose their last digits. */
const digits = (value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
const amountIn = (stored: string): bigint => BigInt(stored);

function encodeRules(rules: Rules): string {
  return JSON.stringify(rules, (_, value: unknown) => digits(value));
}

/** Rules as `encodeRules` writes them. */
interface StoredRules extends Omit<Rules, 'filter' | 'sizing'> {
  readonly filter: Omit<Rules['filter'], 'minOdds' | 'maxOdds'> & Record<'minOdds' | 'maxOdds', string | null>;
  readonly sizing: Omit<Rules['sizing'], 'value'> & { readonly value: string };
}

function decodeRules(json: string): Rules {
  const { filter, sizing, ...rules } = JSON.parse(json) as StoredRules;
  const { minOdds, maxOdds } = filter;
  return {
    ...rules,
    filter: {
      ...filter,
      minOdds: minOdds === null ? null : amountIn(minOdds),
      maxOdds: maxOdds === null ? null : amountIn(maxOdds),
    },
    sizing: { ...sizing, value: amountIn(sizing.value) },
  };
}

const STRATEGY: Shape<Strategy> = {
  account: textColumn(),
  id: textColumn(),
  version: wholeColumn(),
  name: textColumn(),
  sport: textColumn(),
  rules: document(encodeRules, decodeRules),
  bankrollCap: microColumn(),
  stakeCap: microColumn(),
  isPaused: flagColumn(),
  paperOnly: flagColumn(),
  createdAt: momentColumn(),
  updatedAt: momentColumn(),
  archivedAt: orNull(momentColumn()),
};

/** Strategies as they are now. */
export const STRATEGIES = table<Strategy>('strategies', STRATEGY, { key: ['account', 'id'] });

/** Every version of every strategy. */
export const VERSIONS = table<Strategy>('strategy_versions', STRATEGY, {
  key: ['account', 'id', 'version'],
  replaces: 'nothing',
});

/** Money that strategies have at work. */
export const EXPOSURES = table<Exposure>(
  'exposures',
  { account: textColumn(), strategyId: textColumn(), paper: flagColumn(), committed: microColumn() },
  { key: ['account', 'strategy_id', 'paper'] },
);

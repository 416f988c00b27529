import type { AccountId, StrategyId } from '../../core/ids.js';
import type { Usdc } from '../../core/money.js';
import type { Rules } from '../../core/strategy/rules.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import { amount, type Cell, flag, moment, optional, stamp, text, whole } from './cells.js';
import type { Table } from './tables.js';

const COLUMNS = {
  account: 'text',
  id: 'text',
  version: 'integer',
  name: 'text',
  sport: 'text',
  rules: 'text',
  bankroll_cap: 'integer',
  stake_cap: 'integer',
  is_paused: 'boolean',
  paper_only: 'boolean',
  created_at: 'text',
  updated_at: 'text',
  archived_at: 'text',
} as const;

function encode(strategy: Strategy): readonly Cell[] {
  const { account, id, version, name, sport, rules, bankrollCap, stakeCap } = strategy;
  const { isPaused, paperOnly, createdAt, updatedAt, archivedAt } = strategy;
  return [
    ...[account, id, version, name, sport, encodeRules(rules)],
    ...[Number(bankrollCap), Number(stakeCap), isPaused, paperOnly],
    ...[stamp(createdAt), stamp(updatedAt), stamp(archivedAt)],
  ];
}

function decode(cells: readonly Cell[]): Strategy {
  const [account, id, version, name, sport, rules, bankrollCap, stakeCap, isPaused, paperOnly, ...dates] = cells;
  const [createdAt, updatedAt, archivedAt] = dates;
  return {
    id: text(id) as StrategyId,
    account: text(account) as AccountId,
    version: whole(version),
    name: text(name),
    sport: text(sport),
    rules: decodeRules(text(rules)),
    bankrollCap: amount(bankrollCap) as Usdc,
    stakeCap: amount(stakeCap) as Usdc,
    isPaused: flag(isPaused),
    paperOnly: flag(paperOnly),
    createdAt: moment(createdAt),
    updatedAt: moment(updatedAt),
    archivedAt: optional(archivedAt, moment),
  };
}

/** Strategies as they are now. */
export const STRATEGIES: Table<Strategy> = {
  name: 'strategies',
  columns: COLUMNS,
  key: ['account', 'id'],
  replaced: Object.keys(COLUMNS).filter((name) => !['account', 'id', 'created_at'].includes(name)),
  encode,
  decode,
};

/** Every version that there ever was. */
export const VERSIONS: Table<Strategy> = {
  name: 'strategy_versions',
  columns: COLUMNS,
  key: ['account', 'id', 'version'],
  replaced: 'never',
  encode,
  decode,
};

/** Money that strategies have at work. */
export const EXPOSURES: Table<Exposure> = {
  name: 'exposures',
  columns: { account: 'text', strategy_id: 'text', paper: 'boolean', committed: 'integer' },
  key: ['account', 'strategy_id', 'paper'],
  replaced: ['committed'],
  encode: ({ account, strategyId, paper, committed }) => [account, strategyId, paper, Number(committed)],
  decode: ([account, strategyId, paper, committed]) => ({
    account: text(account) as AccountId,
    strategyId: text(strategyId) as StrategyId,
    paper: flag(paper),
    committed: amount(committed) as Usdc,
  }),
};

const AMOUNTS = new Set(['minOdds', 'maxOdds', 'value']);

// Micro-units become strings of digits: a JSON number could lose the last of them.
function encodeRules(rules: Rules): string {
  return JSON.stringify(rules, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

function decodeRules(json: string): Rules {
  return JSON.parse(json, (member, value: unknown) =>
    AMOUNTS.has(member) && typeof value === 'string' ? BigInt(value) : value,
  ) as Rules;
}

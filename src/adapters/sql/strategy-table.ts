import { AMOUNT_KINDS, membersWithin, OBJECT_KINDS } from '../../core/strategy/rules/rule-member.js';
import { membersOf, RULE_PARTS } from '../../core/strategy/rules/rule-members.js';
import type { Rules } from '../../core/strategy/rules/rules.js';
import type { Exposure, Strategy } from '../../core/strategy/strategy.js';
import type { Dialect } from './columns.js';
import {
  document,
  flagColumn,
  microColumn,
  momentColumn,
  orNull,
  type Shape,
  strategyCountedColumn,
  textColumn,
  wholeColumn,
} from './columns.js';
import { rowsAsText, type Template, table } from './table.js';

/** Members of rules that are micro-units, at any depth. */
const MICRO: ReadonlySet<string> = new Set(
  [...RULE_PARTS.flatMap(membersOf), ...OBJECT_KINDS.flatMap(membersWithin)].flatMap(([name, { kind }]) =>
    AMOUNT_KINDS.includes(kind) ? [name] : [],
  ),
);

/** As text: a JSON number could lose the last digits. */
function encodeRules(rules: Rules): string {
  return JSON.stringify(rules, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}

function decodeRules(json: string): Rules {
  const micro = (name: string, value: unknown) =>
    MICRO.has(name) && typeof value === 'string' ? BigInt(value) : value;
  return JSON.parse(json, micro) as Rules;
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
  automation: textColumn(),
  automationPaper: flagColumn(),
  automationKey: orNull(textColumn()),
  createdAt: momentColumn(),
  updatedAt: momentColumn(),
  archivedAt: orNull(momentColumn()),
};

/** Strategies as they are now. */
export const STRATEGIES = table<Strategy>('strategies', STRATEGY, { key: ['account', 'id'] });

/** Reads the strategies with automation of accounts that are not archived. */
export function readingAutomated(dialect: Dialect): Template {
  // The automation is spelt as in the partial index.
  return (parameter) =>
    `select ${rowsAsText(STRATEGIES, dialect)} as found from ${dialect.elements(parameter)} cross join strategies
      where strategies.account = ${dialect.member(0, 'text')} and automation <> 'off' and archived_at is null`;
}

/** Every version of every strategy. */
export const VERSIONS = table<Strategy>('strategy_versions', STRATEGY, {
  key: ['account', 'id', 'version'],
  replaces: 'nothing',
});

/** Money that strategies have at work. */
export const EXPOSURES = table<Exposure>(
  'exposures',
  {
    account: textColumn(),
    strategyId: textColumn(),
    paper: flagColumn(),
    committed: microColumn(),
    counted: strategyCountedColumn(),
  },
  { key: ['account', 'strategy_id', 'paper'] },
);

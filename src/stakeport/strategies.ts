import type { StrategyId } from '../core/ids.js';
import type { Slice, StrategyFilter } from '../core/ledger/query.js';
import type { Usdc } from '../core/money.js';
import { type Explanation, explainRules } from '../core/strategy/explain/explain-rules.js';
import { AUTOMATIONS, type Automation } from '../core/strategy/rules/trading-rules.js';
import { drafted, type Strategy, type StrategyDraft, type StrategyPatch } from '../core/strategy/strategy.js';
import type { UseCases } from '../core/usecases/compose.js';
import {
  ABOVE_ZERO,
  accountId,
  type Decimal,
  flag,
  keyOf,
  knownWord,
  micro,
  onlyMembers,
  type PageRequest,
  pageOf,
  refuse,
  strategyId,
  text,
} from './input.js';
import type { RulesRequest } from './rules-input.js';
import { rulesOf } from './rules-input.js';

/** The members of a strategy that are set at creation and may change later. */
export interface StrategyChange {
  readonly name?: string;
  readonly rules?: RulesRequest;
  /** The most dollars that may be at work at once. */
  readonly bankrollCap?: Decimal;
  /** The most dollars of one BUY. */
  readonly stakeCap?: Decimal;
  /** True: every order under it is denied. */
  readonly isPaused?: boolean;
  /** False lets its orders move real money. */
  readonly paperOnly?: boolean;
  /**
   * `auto` trades by its rules, `approve` what was approved: on a server, and in a program with the option `automation` of
   * `createStakeport`. Elsewhere neither does anything, and `create` warns.
   */
  readonly automation?: Automation;
  /** True, as by default: what it orders by itself is on paper. False is refused: only an API key of a server allows it. */
  readonly automationPaper?: boolean;
}

/** A strategy as a program requests it. By default it starts running, and on paper only. */
export interface StrategyRequest extends StrategyChange {
  readonly account: string;
  readonly name: string;
  readonly sport: string;
  readonly rules: RulesRequest;
  readonly bankrollCap: Decimal;
  readonly stakeCap: Decimal;
  readonly idempotencyKey?: string | null;
}

/** Strategies: caps, rules and a pause that apply to every order under them. Each change makes a version. */
export interface Strategies {
  /**
   * @throws InputInvalid, RulesInvalid, LiveAutomationRefused
   *
   * @example
   * ```ts
   * const strategy = await stakeport.strategies.create({
   *   account: 'me', name: 'Home favourites', sport: 'soccer', bankrollCap: 100, stakeCap: 25,
   *   rules: { filter: { minOdds: 1.5 }, sizing: { method: 'flat', value: 10 } },
   * });
   * ```
   */
  create(request: StrategyRequest): Promise<Strategy>;
  /** What such a strategy would do, a sentence for each member; makes none. @throws InputInvalid, RulesInvalid */
  explain(request: Omit<StrategyRequest, 'account' | 'idempotencyKey'>): readonly Explanation[];
  /** Members that are absent stay as they are. @throws StrategyNotFound, InputInvalid, RulesInvalid, LiveAutomationRefused */
  change(account: string, strategy: string, change: StrategyChange): Promise<Strategy>;
  /** Denies every new order under it. @throws StrategyNotFound */
  pause(account: string, strategy: string): Promise<Strategy>;
  /** @throws StrategyNotFound */
  resume(account: string, strategy: string): Promise<Strategy>;
  /** For good: it accepts no more orders; its versions and its orders stay. @throws StrategyNotFound */
  archive(account: string, strategy: string): Promise<Strategy>;
  /** @throws StrategyNotFound */
  get(account: string, strategy: string): Promise<Strategy>;
  /** Newest first, without archived ones. */
  list(account: string, request?: StrategyFilter & PageRequest<StrategyId>): Promise<Slice<Strategy, StrategyId>>;
  /** Every version, newest first; `after` is a version number. @throws StrategyNotFound */
  versions(account: string, strategy: string, page?: PageRequest<number>): Promise<Slice<Strategy, number>>;
}

const CHANGES = ['name', 'rules', 'bankrollCap', 'stakeCap', 'isPaused', 'paperOnly', 'automation', 'automationPaper'];
const MEMBERS = ['account', 'sport', 'idempotencyKey', ...CHANGES];

const UNTRADED =
  'no strategy trades by itself here: pass automation: true to createStakeport, run a server on the same database, or place its orders';

/** Warns on standard error. */
export const warned = (warning: string): void => process.emitWarning(warning, { type: 'StakeportWarning' });

/** The methods that act upon strategies. */
export function strategiesOf({ strategies }: UseCases, isAutomated: boolean, onWarning = warned): Strategies {
  const change = async (
    account: string,
    strategy: string,
    patch: StrategyPatch,
    route: 'change' | 'pause' | 'resume',
  ) => {
    const named = { account: accountId(account), strategyId: strategyId(strategy), patch };
    const free = { precondition: null, idempotencyKey: null };
    return (await strategies.change.execute({ ...named, ...free, route: `strategies.${route}` })).record;
  };
  return {
    explain(request) {
      onlyMembers(request, ['sport', ...CHANGES]);
      return explainRules(drafted(draftOf(request)));
    },
    async create(request) {
      onlyMembers(request, MEMBERS);
      const { account, idempotencyKey } = request;
      const draft = draftOf(request);
      const command = { account: accountId(account), draft, idempotencyKey: keyOf(idempotencyKey) };
      const { record } = await strategies.create.execute(command);
      if (record.automation !== 'off' && !isAutomated)
        onWarning(`the strategy ${record.id} has automation: ${record.automation}, and ${UNTRADED}`);
      return record;
    },
    async change(account, strategy, asked) {
      onlyMembers(asked, CHANGES);
      return change(account, strategy, patchOf(asked), 'change');
    },
    pause: (account, strategy) => change(account, strategy, { isPaused: true }, 'pause'),
    resume: (account, strategy) => change(account, strategy, { isPaused: false }, 'resume'),
    async archive(account, strategy) {
      const named = { account: accountId(account), strategyId: strategyId(strategy), precondition: null };
      return strategies.archive.execute(named);
    },
    async get(account, strategy) {
      return strategies.read.one(accountId(account), strategyId(strategy));
    },
    async list(account, request = {}) {
      const page = pageOf(request, ['sport', 'isPaused']);
      const { limit, after, ...filter } = request;
      return strategies.read.many(accountId(account), filter, page);
    },
    async versions(account, strategy, page = {}) {
      return strategies.read.versions(accountId(account), strategyId(strategy), pageOf(page));
    },
  };
}

function draftOf({ sport, ...request }: Omit<StrategyRequest, 'account' | 'idempotencyKey'>): StrategyDraft {
  const { name, rules, bankrollCap, stakeCap, ...flags } = patchOf(request);
  return {
    ...flags,
    sport: text('sport', sport),
    name: given('name', name),
    rules: given('rules', rules),
    bankrollCap: given('bankrollCap', bankrollCap),
    stakeCap: given('stakeCap', stakeCap),
  };
}

function patchOf(change: StrategyChange): StrategyPatch {
  const { name, rules, bankrollCap, stakeCap, isPaused, paperOnly, automation, automationPaper } = change;
  return {
    ...(name !== undefined && { name: text('name', name) }),
    ...(rules !== undefined && { rules: rulesOf(rules) }),
    ...(bankrollCap !== undefined && { bankrollCap: micro('bankrollCap', bankrollCap, ABOVE_ZERO) as Usdc }),
    ...(stakeCap !== undefined && { stakeCap: micro('stakeCap', stakeCap, ABOVE_ZERO) as Usdc }),
    ...(isPaused !== undefined && { isPaused: flag('isPaused', isPaused) }),
    ...(paperOnly !== undefined && { paperOnly: flag('paperOnly', paperOnly) }),
    ...(automation !== undefined && { automation: knownWord('automation', automation, AUTOMATIONS) }),
    ...(automationPaper !== undefined && { automationPaper: flag('automationPaper', automationPaper) }),
  };
}

function given<T>(member: string, value: T | undefined): T {
  if (value === undefined) throw refuse(member, 'is required');
  return value;
}

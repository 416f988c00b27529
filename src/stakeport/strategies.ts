import type { StrategyId } from '../core/ids.js';
import type { Slice, StrategyFilter } from '../core/ledger/query.js';
import { MARKET_KINDS, type MarketKind } from '../core/market/kind.js';
import { ONE, type Usdc } from '../core/money.js';
import { BET_SIDES, type BetSide, type RulesDraft, SIZING_METHODS, type SizingMethod } from '../core/strategy/rules.js';
import type { Strategy, StrategyPatch } from '../core/strategy/strategy.js';
import type { UseCases } from '../core/usecases/compose.js';
import {
  ABOVE_ZERO,
  accountId,
  type Decimal,
  keyOf,
  knownWord,
  micro,
  onlyMembers,
  type PageRequest,
  pageOf,
  refuse,
  shownBriefly,
  strategyId,
} from './input.js';

/** Rules as a program writes them: an absent member does not restrict. */
export interface RulesRequest {
  readonly match?: { readonly sport?: string; readonly market?: MarketKind; readonly league?: string };
  /** Decimal odds, above 1. */
  readonly filter?: { readonly minOdds?: Decimal; readonly maxOdds?: Decimal; readonly side?: BetSide };
  /** `fixed_fraction` and `kelly` take a fraction from 0 to 1, `flat` takes dollars. */
  readonly sizing: { readonly method: SizingMethod; readonly value: Decimal };
}

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
   * @throws InputInvalid, RulesInvalid
   *
   * @example
   * ```ts
   * const strategy = await stakeport.strategies.create({
   *   ...{ account: 'me', name: 'Home favourites', sport: 'soccer', bankrollCap: 100, stakeCap: 25 },
   *   rules: { filter: { minOdds: 1.5 }, sizing: { method: 'flat', value: 10 } },
   * });
   * ```
   */
  create(request: StrategyRequest): Promise<Strategy>;
  /** Members that are absent stay as they are. @throws StrategyNotFound, InputInvalid, RulesInvalid */
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

const CHANGES = ['name', 'rules', 'bankrollCap', 'stakeCap', 'isPaused', 'paperOnly'];
const MEMBERS = ['account', 'sport', 'idempotencyKey', ...CHANGES];
const ODDS = [(odds: bigint) => odds > ONE, 'decimal odds greater than 1, such as 1.5'] as const;
const ANY = [() => true, 'a decimal'] as const;
const CONTROL = /\p{Cc}/u;
const MOST_LETTERS = 80;

/** The methods that act upon strategies. */
export function strategiesOf({ strategies }: UseCases): Strategies {
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
    async create(request) {
      onlyMembers(request, MEMBERS);
      const { account, sport, idempotencyKey } = request;
      const { name, rules, bankrollCap, stakeCap, ...flags } = patchOf(request);
      const draft = {
        ...{ ...flags, sport: text('sport', sport), name: given('name', name), rules: given('rules', rules) },
        ...{ bankrollCap: given('bankrollCap', bankrollCap), stakeCap: given('stakeCap', stakeCap) },
      };
      const command = { account: accountId(account), draft, idempotencyKey: keyOf(idempotencyKey) };
      return (await strategies.create.execute(command)).record;
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

function patchOf({ name, rules, bankrollCap, stakeCap, isPaused, paperOnly }: StrategyChange): StrategyPatch {
  return {
    ...(name !== undefined && { name: text('name', name) }),
    ...(rules !== undefined && { rules: rulesOf(rules) }),
    ...(bankrollCap !== undefined && { bankrollCap: micro('bankrollCap', bankrollCap, ABOVE_ZERO) as Usdc }),
    ...(stakeCap !== undefined && { stakeCap: micro('stakeCap', stakeCap, ABOVE_ZERO) as Usdc }),
    ...(isPaused !== undefined && { isPaused: flag('isPaused', isPaused) }),
    ...(paperOnly !== undefined && { paperOnly: flag('paperOnly', paperOnly) }),
  };
}

function rulesOf({ match = {}, filter = {}, sizing, ...others }: RulesRequest): RulesDraft {
  onlyMembers(others, ['match', 'filter', 'sizing']);
  onlyMembers(match, ['sport', 'market', 'league']);
  onlyMembers(filter, ['minOdds', 'maxOdds', 'side']);
  onlyMembers(sizing, ['method', 'value']);
  const { sport, market, league } = match;
  const { minOdds, maxOdds, side } = filter;
  return {
    match: {
      ...(sport !== undefined && { sport: text('rules.match.sport', sport) }),
      ...(market !== undefined && { market: knownWord('rules.match.market', market, MARKET_KINDS) }),
      ...(league !== undefined && { league: text('rules.match.league', league) }),
    },
    filter: {
      ...(minOdds !== undefined && { minOdds: micro('rules.filter.minOdds', minOdds, ODDS) }),
      ...(maxOdds !== undefined && { maxOdds: micro('rules.filter.maxOdds', maxOdds, ODDS) }),
      ...(side !== undefined && { side: knownWord('rules.filter.side', side, BET_SIDES) }),
    },
    sizing: {
      method: knownWord('rules.sizing.method', sizing.method, SIZING_METHODS),
      value: micro('rules.sizing.value', sizing.value, ANY),
    },
  };
}

function given<T>(member: string, value: T | undefined): T {
  if (value === undefined) throw refuse(member, 'is required');
  return value;
}

function flag(member: string, value: boolean): boolean {
  if (typeof value !== 'boolean') throw refuse(member, `must be true or false; got ${shownBriefly(value)}`);
  return value;
}

function text(member: string, value: string): string {
  const fits =
    typeof value === 'string' &&
    value.isWellFormed() &&
    !CONTROL.test(value) &&
    value.trim() !== '' &&
    [...value].length <= MOST_LETTERS;
  if (!fits)
    throw refuse(
      member,
      `must be 1 to ${MOST_LETTERS} characters, not blank, without control characters; got ${shownBriefly(value)}`,
    );
  return value;
}

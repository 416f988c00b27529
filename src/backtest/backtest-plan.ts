import { basename } from 'node:path';
import { jsonObjectOf } from '../adapters/http/body.js';
import { limitsBody, limitsChangeOf } from '../adapters/http/limits-wire.js';
import { validate } from '../adapters/http/perform.js';
import { presentRules } from '../adapters/http/present-rules.js';
import { Problem } from '../adapters/http/problem.js';
import { createStrategyBody, draftOf } from '../adapters/http/strategy-wire.js';
import { dayOfZone, sha256 } from '../adapters/system/index.js';
import { VERSION } from '../adapters/system/version.js';
import { joinedIndex, type ScannedTape } from '../adapters/tape/tape-index.js';
import { openScanned } from '../adapters/tape/tape-index-file.js';
import { AmountMalformed, DomainError } from '../core/errors.js';
import type { AccountId, StrategyId } from '../core/ids.js';
import type { LimitsChange } from '../core/limits/limits.js';
import { hasFills } from '../core/market/event.js';
import { formatMicro, type Usdc, usdc } from '../core/money.js';
import type { Proposer, SeenOutcome } from '../core/strategy/conditions/candidate.js';
import { SKIP_LIMITS } from '../core/strategy/record/recent-skips.js';
import { tradingRules } from '../core/strategy/rules/trading-rules.js';
import { createStrategy, type Strategy } from '../core/strategy/strategy.js';
import { StrategyIndex } from '../core/strategy/watch/automated-strategies.js';
import type { RunHeader, RunTape, RunWarning } from './backtest-run.js';
import { marketsFor, type PlayTerms, type SharedStrategy } from './play-share.js';
import { type ProposedBet, proposalOf, WrongProposal } from './proposed-bet.js';
import { type BacktestSignal, checkedSignal, SignalRowInvalid } from './signal-rows.js';

/** A body of `POST /v1/strategies`, or of `PUT /v1/limits`, as JSON has it. */
export type BacktestBody = Readonly<Record<string, unknown>>;

/** A body of `POST /v1/strategies`, in which a function may decide in place of `filter` and `sizing`. */
export interface BacktestStrategy extends BacktestBody {
  /**
   * Asked of each outcome that the rules name, at each change of its market, once all other rules are true; null for no bet. It may be
   * asked twice at a moment, and depends on what it is given alone. What it throws ends the backtest.
   */
  readonly decide?: (seen: SeenOutcome) => ProposedBet | null;
}

/** What a backtest plays. */
export interface BacktestOptions {
  /** Paths of tapes of one venue, which are played as one. */
  readonly tapes: string | readonly string[];
  /** Bodies of `POST /v1/strategies`, each with a name of its own. Whatever they say of it, they trade by themselves, on paper. */
  readonly strategies: readonly BacktestStrategy[];
  /** The body of `PUT /v1/limits`, for each account. */
  readonly limits?: BacktestBody | null;
  /** The time zone whose midnight begins a day; by default UTC. */
  readonly zone?: string;
  /** The dollars of each account, as a number or a text; by default 1000. Those of more than 6 decimals, such as 0.1 + 0.2, are refused. */
  readonly cash?: number | string;
  /** How long an order takes to reach the book, in milliseconds; by default 150. */
  readonly latencyMs?: number;
  /** Strategies decide from then on, on books made of the lines before; by default from the beginning. */
  readonly from?: Date | null;
  /** The last moment that is played; by default that of the last line. */
  readonly to?: Date | null;
  /** What the draws of intervals depend on, beside the run itself; by default `0`. */
  readonly seed?: number | string;
  /** What models said, each from when it was known; read from a file by `readSignals`. */
  readonly signals?: readonly BacktestSignal[];
  /** True lets all strategies trade with one account; by default each has one of its own. */
  readonly together?: boolean;
}

/** A backtest that cannot be run as it was asked for: the message says what to do. */
export class BacktestRefused extends Error {
  constructor(
    /** `options` are wrong, or the rules name `nothing` on the tapes. */
    readonly reason: 'options' | 'nothing',
    message: string,
  ) {
    super(message);
    this.name = 'BacktestRefused';
  }
}

/** All that is known of a run before it is played. */
export interface BacktestPlan {
  readonly terms: PlayTerms;
  readonly strategies: readonly SharedStrategy[];
  readonly header: Omit<RunHeader, 'coverage' | 'gaps' | 'partial'>;
  readonly warnings: readonly RunWarning[];
}

/** Reads the tapes once and checks everything else. @throws BacktestRefused, BacktestTapeUnreadable */
export async function planBacktest(options: BacktestOptions): Promise<BacktestPlan> {
  const strategies = options.strategies.map((body, at) => strategyOf(body, at, options.together === true));
  checkNames(strategies);
  const settings = settingsOf(options);
  const paths = typeof options.tapes === 'string' ? [options.tapes] : options.tapes;
  const scanned: ScannedTape[] = [];
  for (const path of paths) scanned.push(await openScanned(path).catch(namedTape(path)));
  const [first, ...others] = scanned;
  if (first === undefined) throw refused('name a tape');
  const index = joinedIndex([first.index, ...others.map((one) => one.index)]);
  const { from = null, to = null } = options;
  const until = to !== null && to < index.ended ? to : index.ended;
  const begins = from !== null && from > index.began ? from : index.began;
  if (begins > until || until < index.began)
    throw refused('from is after the end of the tapes, or to before their beginning');
  const perStrategy = Math.min(SKIP_LIMITS.perStrategy, Math.max(1, Math.floor(SKIP_LIMITS.all / strategies.length)));
  const terms: PlayTerms = {
    tapes: [first, ...others],
    followed: marketsFor(strategies, [first, ...others]),
    limits: settings.limits,
    zone: settings.zone,
    cash: settings.cash,
    latencyMs: settings.latencyMs,
    from: begins,
    until,
    together: options.together === true,
    skipLimits: { perStrategy, all: Number.POSITIVE_INFINITY },
    signals: signalsOf(options.signals ?? []),
  };
  const warnings = [
    ...namedMarkets(strategies, index.markets),
    ...strategies.flatMap(approvalWarning),
    ...withoutFills(index.evidence),
  ];
  return { terms, strategies, header: headerOf(options, terms, strategies), warnings };
}

/** A tape that cannot be read, by its path. */
export class BacktestTapeUnreadable extends Error {
  constructor(
    readonly path: string,
    override readonly cause: unknown,
  ) {
    super(`${path}: ${cause instanceof Error ? cause.message : cause}`);
    this.name = 'BacktestTapeUnreadable';
  }
}

const namedTape =
  (path: string) =>
  (error: unknown): never => {
    throw new BacktestTapeUnreadable(path, error);
  };

const refused = (words: string): BacktestRefused => new BacktestRefused('options', `${words}.`);

/** A strategy of the run. */
interface PlannedStrategy extends SharedStrategy {
  readonly strategy: Strategy;
  readonly asksApproval: boolean;
  readonly decide?: BacktestStrategy['decide'];
}

function strategyOf({ decide, ...body }: BacktestStrategy, at: number, together: boolean): PlannedStrategy {
  const name = typeof body['name'] === 'string' ? `the strategy ${JSON.stringify(body['name'])}` : `strategy ${at + 1}`;
  const asked = decide === undefined ? body : withoutPrices(name, body);
  return checked(name, () => {
    const given = draftOf(validate(createStrategyBody, bodyOf(asked), ''));
    const { name: called, sport, rules, bankrollCap, stakeCap } = given;
    const draft = { name: called, sport, rules, bankrollCap, stakeCap, automation: 'auto' as const };
    const account = (together ? 'backtest' : `backtest-${at + 1}`) as AccountId;
    const strategy = createStrategy('' as StrategyId, account, draft, new Date(0));
    const asksApproval = given.automation === 'approve';
    const { match } = tradingRules(strategy);
    return {
      draft,
      account,
      match,
      strategy,
      asksApproval,
      ...(decide && { proposer: proposerOf(name, decide), decide }),
    };
  });
}

/** The body with rules that every outcome and price satisfies, unless they say otherwise: a function decides. */
function withoutPrices(name: string, { rules = {}, ...body }: BacktestBody): BacktestBody {
  const given = Object(rules) as BacktestBody;
  for (const part of ['filter', 'sizing'])
    if (part in given) throw refused(`${name} has /rules/${part}, and a function decides in its place: leave it out`);
  const open = { filter: { max_spread: null }, sizing: { method: 'flat', value: body['stake_cap'] } };
  return { ...body, rules: { outcome: 'each', ...given, ...open } };
}

/** The function as the core asks it. @throws BacktestRefused for a bet that is none */
function proposerOf(name: string, decide: NonNullable<BacktestStrategy['decide']>): Proposer {
  return (seen) => {
    const given = decide(seen);
    const proposal = given === null ? null : proposalOf(given);
    if (!(proposal instanceof WrongProposal)) return proposal;
    throw refused(`${name} proposed ${proposal.what} at ${seen.at.toISOString()}: ${proposal.allowed}`);
  };
}

/** The body as a server reads it: its numbers keep their digits. */
const bodyOf = (body: BacktestBody): unknown => jsonObjectOf(Buffer.from(JSON.stringify(body)));

function checked<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Problem || error instanceof DomainError)) throw error;
    const [first] = (error instanceof Problem ? error.more.errors : undefined) ?? [];
    const inRules = 'member' in error ? `/rules/${error.member} ` : '';
    const words = first === undefined ? `${inRules}${error.message}` : `${first.pointer} ${first.detail}.`;
    throw new BacktestRefused('options', `${what} is refused: ${words}`);
  }
}

function checkNames(strategies: readonly PlannedStrategy[]): void {
  if (strategies.length === 0) throw refused('name a strategy');
  const names = new Set<string>();
  for (const { draft } of strategies) {
    if (names.has(draft.name))
      throw refused(`two strategies are named ${JSON.stringify(draft.name)}: give one another name`);
    names.add(draft.name);
  }
}

/** The settings, checked, with their defaults. */
interface Settings extends Pick<PlayTerms, 'limits' | 'zone' | 'cash' | 'latencyMs'> {}

function settingsOf({
  limits = null,
  zone = 'UTC',
  cash = 1000,
  latencyMs = 150,
  from,
  to,
}: BacktestOptions): Settings {
  for (const moment of [from, to])
    if (moment != null && Number.isNaN(moment.getTime())) throw refused('from and to must be dates');
  if (!Number.isInteger(latencyMs) || latencyMs < 0 || latencyMs > 60_000)
    throw refused('latency must be a whole number of milliseconds from 0 to 60000');
  if (!isZone(zone)) throw refused(`zone must be a time zone such as Europe/Berlin; got ${JSON.stringify(zone)}`);
  return { limits: limits === null ? null : limitsOf(limits), zone, cash: cashOf(cash), latencyMs };
}

function signalsOf(signals: readonly BacktestSignal[]): readonly BacktestSignal[] {
  try {
    return signals.map((signal, at) => checkedSignal(signal, at + 1));
  } catch (error) {
    if (error instanceof SignalRowInvalid) throw refused(`of the signals ${error.message}`);
    throw error;
  }
}

function limitsOf(limits: BacktestBody): LimitsChange {
  return checked('the body of the limits', () => limitsChangeOf(validate(limitsBody, bodyOf(limits), '')));
}

function cashOf(cash: number | string): Usdc {
  try {
    return usdc(String(cash));
  } catch (error) {
    if (!(error instanceof AmountMalformed)) throw error;
    throw refused(`cash ${error.message}; got ${typeof cash === 'number' ? cash : JSON.stringify(cash)}`);
  }
}

function isZone(zone: string): boolean {
  try {
    dayOfZone(zone);
    return true;
  } catch {
    return false;
  }
}

/** A warning for each strategy that names no market of the tapes. @throws BacktestRefused where none does */
function namedMarkets(
  strategies: readonly PlannedStrategy[],
  markets: ReturnType<typeof joinedIndex>['markets'],
): readonly RunWarning[] {
  const index = new StrategyIndex<PlannedStrategy>();
  for (const one of strategies) index.put(one, one.match);
  const naming = new Set(markets.flatMap((market) => [...index.for(market)]));
  if (naming.size === 0) {
    const sports = [...new Set(markets.map(({ sport }) => sport ?? 'none'))].sort().join(', ');
    const words = `no market of the tapes is one that the rules name; the tapes have ${markets.length} markets, of these sports: ${sports || 'none'}`;
    throw new BacktestRefused('nothing', `${words}.`);
  }
  const others = strategies.filter((one) => !naming.has(one));
  return others.map(({ draft }) => ({
    code: 'nothing_named',
    detail: `The rules of ${JSON.stringify(draft.name)} name no market of the tapes.`,
  }));
}

/** A warning where nothing can be filled in some of the markets. */
function withoutFills(evidence: ScannedTape['index']['evidence']): readonly RunWarning[] {
  const without = [...evidence.values()].filter((one) => !hasFills(one)).length;
  if (without === 0 || without === evidence.size) return [];
  const words = 'there is no book that an order could meet: nothing is filled there';
  return [{ code: 'no_fills', detail: `In ${without} of ${evidence.size} markets ${words}.` }];
}

function approvalWarning({ draft, asksApproval }: PlannedStrategy): readonly RunWarning[] {
  if (!asksApproval) return [];
  const words = 'asks a person to approve its bets (automation: approve); here it bets by itself';
  return [{ code: 'approval_assumed', detail: `${JSON.stringify(draft.name)} ${words}.` }];
}

function headerOf(
  { limits = null, seed = '0', from, to }: BacktestOptions,
  terms: PlayTerms,
  strategies: readonly PlannedStrategy[],
): BacktestPlan['header'] {
  const { cash, latencyMs, together, zone, tapes } = terms;
  const shown = strategies.map(({ strategy, decide }) => ({
    name: strategy.name,
    rules: shownRules(strategy, decide),
  }));
  const settings = {
    zone,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    limits: sorted(limits),
    signals: terms.signals.length === 0 ? null : sha256(JSON.stringify(terms.signals)),
    strategies: strategies.map(({ draft }) => ({
      name: draft.name,
      sport: draft.sport,
      bankroll_cap: formatMicro(draft.bankrollCap),
      stake_cap: formatMicro(draft.stakeCap),
    })),
  };
  const fixed = {
    tapes: tapes.map(({ path, sha256: hash }) => [basename(path), hash]),
    strategies: shown,
    settings,
    cash: formatMicro(cash),
    latency: latencyMs,
    seed: String(seed),
    together,
    version: VERSION,
  };
  return {
    id: sha256(JSON.stringify(fixed)),
    tapes: tapes.map(playedTapeOf),
    strategies: shown,
    cash,
    latencyMs,
    seed: String(seed),
    together,
    version: VERSION,
    settings,
  };
}

/** The rules as the API has them; of a function, its text by its hash takes the place of what it decides. */
function shownRules(strategy: Strategy, decide: BacktestStrategy['decide']): unknown {
  const rules = presentRules(strategy);
  if (decide === undefined) return rules;
  const { filter: _filter, sizing: _sizing, ...others } = rules;
  return { ...others, decide: `function ${sha256(String(decide))}` };
}

const playedTapeOf = ({ path, sha256: hash, index }: ScannedTape): RunTape => ({
  name: basename(path),
  sha256: hash,
  from: index.began,
  to: index.ended,
  markets: index.markets.length,
  evidence: index.header.source.evidence,
});

/** A JSON value with the members of objects in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

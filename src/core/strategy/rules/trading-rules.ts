import type { MarketKind } from '../../market/market.js';
import { ONE, type Price, type Usdc } from '../../money.js';
import type { Automation } from './automation.js';
import type {
  BetLimits,
  ExitRules,
  GrownFilter,
  OneOrMore,
  OrderRules,
  OutcomeChoice,
  Phase,
  Rules,
  SignalRule,
} from './rules.js';

/** The members of `T`, none of them absent. */
export type WithDefaults<T> = { readonly [Name in keyof T]-?: Exclude<T[Name], undefined> };

/** Rules with every default filled in: what a strategy trades by. Null does not restrict, or is not there. */
export interface TradingRules {
  readonly match: {
    readonly sport: string;
    readonly market: OneOrMore<MarketKind> | null;
    readonly league: OneOrMore<string> | null;
    readonly events: readonly string[] | null;
    readonly text: string | null;
  };
  readonly outcome: OutcomeChoice | null;
  readonly window: { readonly fromMs: number | null; readonly toMs: number | null };
  readonly phase: Phase;
  readonly filter: Pick<Rules['filter'], 'minOdds' | 'maxOdds' | 'side'> & WithDefaults<GrownFilter>;
  readonly sizing: WithDefaults<Rules['sizing']>;
  readonly limits: WithDefaults<BetLimits>;
  readonly order: WithDefaults<OrderRules>;
  readonly exit: ExitRules | null;
  readonly signal: SignalRule | null;
}

/** What the defaults follow from. */
export interface RuleTerms {
  readonly rules: Rules;
  readonly automation: Automation;
  readonly bankrollCap: Usdc;
}

const MINUTE_MS = 60_000;
/** The expected yield at which `edge_proportional` stakes its whole fraction, unless the rules name another. */
const REFERENCE_EDGE = ONE / 10n;
const COOLDOWN_MS = 5 * MINUTE_MS;
const GIVE_UP_AFTER_MS = MINUTE_MS;
const MAX_SLIPPAGE = 20_000n as Price;

/** Bounds of a strategy that trades by itself; each is loosened only by naming it. */
const AUTOMATED = { maxBetsPerDay: 100, maxSpread: 50_000n as Price, eventLossPart: 20n, dailyLossPart: 10n } as const;

/** By the version that they are of, which never changes: each look at a market asks for them. */
const KNOWN = new WeakMap<RuleTerms, TradingRules>();

/** Every member with its default: what restricts by default restricts only a strategy that trades by itself. */
export function tradingRules(terms: RuleTerms): TradingRules {
  const known = KNOWN.get(terms) ?? withDefaults(terms);
  KNOWN.set(terms, known);
  return known;
}

function withDefaults({ rules, automation, bankrollCap }: RuleTerms): TradingRules {
  const { match, outcome = null, window = {}, phase = 'pre', exit = null, signal = null } = rules;
  const { sport, market, league, events = null, text = null } = match;
  const { fromMs = null, toMs = null } = window;
  const isAutomated = automation !== 'off';
  return {
    match: { sport, market, league, events, text },
    outcome,
    window: { fromMs, toMs },
    phase,
    exit,
    signal,
    filter: filterOf(rules.filter, isAutomated),
    sizing: { referenceEdge: REFERENCE_EDGE, ...rules.sizing },
    limits: limitsOf(rules.limits ?? {}, isAutomated ? bankrollCap : null),
    order: { timeInForce: 'FAK', giveUpAfterMs: GIVE_UP_AFTER_MS, maxSlippage: MAX_SLIPPAGE, ...rules.order },
  };
}

function filterOf(filter: Rules['filter'], isAutomated: boolean): TradingRules['filter'] {
  return {
    minEdge: null,
    maxSpread: isAutomated ? AUTOMATED.maxSpread : null,
    minLiquidity: null,
    maxDrift: null,
    maxBookAgeMs: null,
    maxOverround: null,
    ...filter,
  };
}

/** `bankroll` is null for a strategy that does not trade by itself. */
function limitsOf(limits: BetLimits, bankroll: Usdc | null): TradingRules['limits'] {
  const part = (whole: bigint) => (bankroll === null ? null : ((bankroll / whole) as Usdc));
  return {
    maxBetsPerOutcome: 1,
    maxBetsPerMarket: null,
    maxBetsPerEvent: null,
    maxBetsPerDay: bankroll === null ? null : AUTOMATED.maxBetsPerDay,
    maxOpen: null,
    cooldownMs: COOLDOWN_MS,
    eventLoss: part(AUTOMATED.eventLossPart),
    dailyLoss: part(AUTOMATED.dailyLossPart),
    ...limits,
  };
}

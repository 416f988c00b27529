import { emptyPosition, type Position, type PositionKey } from '../account/position.js';
import type { HeldRisks, RiskHere } from '../limits/held-risks.js';
import { LIMITS, type LimitName, type Limits } from '../limits/limits.js';
import { lossOf, movedRisk, NOTHING_WORKING, type RiskGroup } from '../limits/risk.js';
import { formatMicro, minus, NO_SHARES, NO_USDC, plus, type Shares, type Usdc } from '../money.js';
import { type Order, type Refusal, refusal, workingRisk } from '../order/order.js';
import type { LimitLeft } from '../strategy/conditions/candidate.js';
import type { SaleBound, SharesLeft } from '../strategy/exit/exit-inputs.js';

/** The limits of worst cases. */
type LossLimitName = 'marketLossUsdc' | 'eventLossUsdc' | 'leagueLossUsdc' | 'sportLossUsdc' | 'exposureUsdc';

/** What a worst case is compared with. */
export interface RiskFacts {
  readonly limits: Pick<Limits, LossLimitName>;
  /** What the account, or the strategy, holds of the same kind of money. */
  readonly risks: HeldRisks<Position>;
  /** What the market of the order belongs to. */
  readonly group: RiskGroup;
}

/** The limits of worst cases, each with what is summed under it, in the order in which they are tested. */
const LOSS_LIMITS: readonly { readonly name: LossLimitName; readonly of: keyof RiskHere['losses'] }[] = [
  { name: 'marketLossUsdc', of: 'market' },
  { name: 'eventLossUsdc', of: 'event' },
  { name: 'leagueLossUsdc', of: 'league' },
  { name: 'sportLossUsdc', of: 'sport' },
  { name: 'exposureUsdc', of: 'exposure' },
];

/** The worst cases before an order that was not reserved yet, and with it. */
function lossesWith(order: Order, { risks, group }: Pick<RiskFacts, 'risks' | 'group'>) {
  const own = ownPosition({ ...order.intent, account: order.account, strategyId: null }, risks, group);
  const working = movedRisk(own.risk?.working ?? NOTHING_WORKING, NOTHING_WORKING, workingRisk(order));
  return { before: () => risks.with(own).losses, after: risks.with({ ...own, risk: { group, working } }).losses };
}

/** Whether an order is a sale that raises no worst case: of its market, event, league, sport, or of all together. */
export function isHarmlessSale(order: Order, facts: Pick<RiskFacts, 'risks' | 'group'>): boolean {
  if (order.intent.side !== 'SELL') return false;
  const { before, after } = lossesWith(order, facts);
  const was = before();
  return LOSS_LIMITS.every(({ of }) => after[of] <= was[of]);
}

/** Why the worst case is above a limit, which is `whose`; null where it is not, or the order does not raise it. */
export function overLosses(order: Order, { limits, risks, group }: RiskFacts, whose: string): Refusal | null {
  const set = LOSS_LIMITS.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return null;
  const { before, after } = lossesWith(order, { risks, group });
  let was: RiskHere['losses'] | null = null;
  for (const { name, of } of set) {
    const cap = limits[name] ?? NO_USDC;
    if (after[of] <= cap) continue;
    was ??= before();
    if (after[of] > was[of]) return aboveLimit(name, dollars(after[of], cap), `${whose} `);
  }
  return null;
}

/**
 * What one more purchase may lose before `overLosses` refuses it, by each limit that is set. It loses most where its outcome
 * does not win: where that result is better than the worst one, as it is for a hedge, it may lose more than the limit leaves.
 */
export function lossesLeft(key: PositionKey, { limits, risks, group }: RiskFacts): readonly LimitLeft[] {
  const set = LOSS_LIMITS.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return [];
  const { losses, market, set: exclusive } = risks.with(ownPosition(key, risks, group));
  return set.map(({ name, of }) => {
    const results = of === 'market' ? market : exclusive;
    const unused = minus(limits[name] ?? NO_USDC, losses[of]);
    const most = plus(lossOf(results), unused > 0n ? unused : NO_USDC);
    const { yes, no, split } = results;
    const [won, lost] = key.outcome === 'YES' ? [yes, no] : [no, yes];
    return { name: LIMITS[name].shown, left: plus(most, lost), ifSplit: plus(most, split), ifWon: plus(most, won) };
  });
}

/**
 * The largest part, in whole lots, of a sale that `overLosses` lets pass, and the limit that binds it; null where the whole sale
 * passes. More shares sold never lower a worst case, so that the part is found by halving.
 */
export function saleLeft(
  key: PositionKey,
  { limits, risks, group }: RiskFacts,
  free: Shares,
  lot: Shares,
): SaleBound<SharesLeft> | null {
  const set = LOSS_LIMITS.filter(({ name }) => limits[name] !== null);
  if (set.length === 0) return null;
  const own = ownPosition(key, risks, group);
  const working = own.risk?.working ?? NOTHING_WORKING;
  const lossesOf = (shares: Shares) =>
    risks.with({ ...own, risk: { group, working: { ...working, selling: plus(working.selling, shares) } } }).losses;
  const before = lossesOf(NO_SHARES);
  const exceeded = (lots: bigint) => {
    const after = lossesOf((lots * lot) as Shares);
    return set.find(({ name, of }) => after[of] > (limits[name] ?? NO_USDC) && after[of] > before[of]);
  };
  let [passing, refused] = [0n, free / lot + 1n];
  if (exceeded(refused - 1n) === undefined) return null;
  for (refused -= 1n; refused - passing > 1n; ) {
    const middle = (passing + refused) / 2n;
    if (exceeded(middle) === undefined) passing = middle;
    else refused = middle;
  }
  const bound = exceeded(refused);
  if (bound === undefined) return null;
  const most = { shares: (passing * lot) as Shares, forAll: lossesOf(free)[bound.of] };
  const { shown, code } = LIMITS[bound.name];
  return { name: shown, code, most };
}

/** What is held of an outcome. What is known of its market now is preferred to what was known when it was bought. */
function ownPosition(key: PositionKey, risks: HeldRisks<Position>, group: RiskGroup): Position {
  const held = risks.inMarket(key).find(({ outcome }) => outcome === key.outcome) ?? emptyPosition(key);
  return { ...held, risk: { group, working: held.risk?.working ?? NOTHING_WORKING } };
}

/** The refusal of an order above a limit; `whose` begins the sentence of a worst case. */
export const aboveLimit = (name: LimitName, shown: string, whose = ''): Refusal =>
  refusal(LIMITS[name].code, `${whose}${LIMITS[name].sentence}: ${shown}`);

/** The figures of a refusal, as every sentence about a limit ends. */
export const figures = (lost: string | number, cap: string | number): string => `lost=${lost}, cap=${cap}.`;
/** The same of amounts. */
export const dollars = (lost: Usdc, cap: Usdc): string => figures(formatMicro(lost), formatMicro(cap));

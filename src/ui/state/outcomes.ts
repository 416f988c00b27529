import type { WireHolding, WireMarket } from '../../adapters/http/answers.js';
import { microOf } from './amounts.js';

/** Positions that share one event, or one market where the event is not known. */
export interface PositionGroup {
  readonly key: string;
  readonly title: string;
  readonly startsAt: string | null;
  readonly positions: readonly WireHolding[];
  readonly outcomes: readonly OutcomeProfit[];
}

/** What the positions of a group bring, fees taken off, if this happens: in millionths of a dollar. */
export interface OutcomeProfit {
  readonly label: string;
  readonly profit: bigint;
}

/** The positions by event, each with the profit for every outcome that is possible. `markets` may lack some. */
export function groupsOf(
  positions: readonly WireHolding[],
  markets: ReadonlyMap<string, WireMarket>,
): readonly PositionGroup[] {
  const found = new Map<string, WireHolding[]>();
  for (const position of positions) {
    const key = keyOf(position, markets.get(position.market_id));
    const group = found.get(key);
    if (group === undefined) found.set(key, [position]);
    else group.push(position);
  }
  return [...found].map(([key, held]) => groupOf(key, held, markets));
}

const keyOf = ({ market_id, venue }: WireHolding, market: WireMarket | undefined): string =>
  `${venue} ${market?.event?.id ?? market?.exclusive_set ?? market_id}`;

function groupOf(
  key: string,
  positions: readonly WireHolding[],
  markets: ReadonlyMap<string, WireMarket>,
): PositionGroup {
  const [first] = positions;
  const market = first === undefined ? undefined : markets.get(first.market_id);
  const title = market?.event?.title ?? first?.question ?? first?.market_id ?? '';
  return { key, title, startsAt: market?.starts_at ?? null, positions, outcomes: outcomesOf(positions, markets) };
}

/** The possible results: exactly one market of an exclusive set resolves YES; every other market is a question of its own. */
function outcomesOf(
  positions: readonly WireHolding[],
  markets: ReadonlyMap<string, WireMarket>,
): readonly OutcomeProfit[] {
  const bySet = new Map<string, WireHolding[]>();
  for (const position of positions) {
    const name = markets.get(position.market_id)?.exclusive_set ?? position.market_id;
    bySet.set(name, [...(bySet.get(name) ?? []), position]);
  }
  return [...bySet.values()].flatMap((held) => {
    const names = [...new Set(held.map(({ market_id }) => market_id))];
    const [only = ''] = names;
    const isSet = (markets.get(only)?.exclusive_set ?? null) !== null;
    return isSet ? ofSet(held, names, markets) : ofMarket(held, markets.get(only));
  });
}

function ofMarket(held: readonly WireHolding[], market: WireMarket | undefined): readonly OutcomeProfit[] {
  return (['YES', 'NO'] as const).map((token) => {
    const label = labelOf(held, market, token);
    return { label, profit: profitIf(held, (one) => one.token === token) };
  });
}

function labelOf(held: readonly WireHolding[], market: WireMarket | undefined, token: 'YES' | 'NO'): string {
  const known = market?.outcomes?.find((outcome) => outcome.token === token)?.label;
  return known ?? held.find((one) => one.token === token)?.outcome_label ?? token;
}

function ofSet(
  held: readonly WireHolding[],
  names: readonly string[],
  markets: ReadonlyMap<string, WireMarket>,
): readonly OutcomeProfit[] {
  const pays = (winner: string | null) => (one: WireHolding) => (one.market_id === winner) === (one.token === 'YES');
  const named = names.map((name) => {
    const market = markets.get(name);
    return { label: market?.question ?? name, profit: profitIf(held, pays(name)) };
  });
  return [...named, { label: 'Any other', profit: profitIf(held, pays(null)) }];
}

/** A share of what wins pays a dollar, which is as many millionths as the share has. */
function profitIf(held: readonly WireHolding[], pays: (one: WireHolding) => boolean): bigint {
  return held.reduce((sum, one) => {
    const back = pays(one) ? microOf(one.shares) : 0n;
    return sum + back - microOf(one.cost_usdc) + microOf(one.realised_usdc) - microOf(one.fees_usdc);
  }, 0n);
}

import type { Ledger } from '../../ports/ledger.js';
import type { OrderId, StrategyId } from '../ids.js';
import { type Page, slices } from '../ledger/query.js';
import { type ByDay, onDay, withDay } from '../limits/counted.js';
import { formatMicro } from '../money.js';
import type { Order } from '../order/order.js';
import { DAY_COUNTERS } from '../strategy/rules/rule-members.js';
import { type DayOrders, type Exposure, NO_COUNTED_ORDERS, ONE_PURCHASE, withCounts } from '../strategy/strategy.js';
import { type BooksKey, compared, type Finding } from './books-audit.js';

/** Counted orders of a strategy with numbers in a row, of one day, whose losses are measured from one start. */
interface Run {
  counted: DayOrders;
  from: number;
  to: number;
}

/** What orders say of the orders that strategies counted: a few numbers of each strategy and day, however many orders there are. */
export class CountsReading {
  readonly #runs = new Map<string, Run[]>();
  #newest: OrderId | undefined;

  constructor(
    private readonly ledger: Pick<Ledger, 'listOrders'>,
    private readonly owner: BooksKey,
  ) {}

  /** Takes an order; all of one account and kind of money, in whatever order. */
  add({ id, intent }: Order): void {
    if (this.#newest === undefined || id > this.#newest) this.#newest = id;
    const { strategy, counted, day } = intent;
    // One that was refused is not counted.
    if (strategy === null || counted === undefined || day === undefined) return;
    const { reset, n, start, counts = ONE_PURCHASE } = counted;
    const name = runsName(strategy.id, reset);
    const runs = this.#runs.get(name) ?? [];
    const isBeside = ({ from, to }: Run) => to === n - 1 || from === n + 1;
    const beside = runs.findLast((run) => run.counted.day === day && run.counted.start === start && isBeside(run));
    const run = beside ?? { counted: { day, bets: 0, start }, from: n, to: n };
    run.counted = withCounts(run.counted, counts);
    if (beside === undefined) this.#runs.set(name, [...runs, run]);
    else if (run.to === n - 1) run.to = n;
    else run.from = n;
  }

  /** Reads the orders that are newer than those it took. One that came late, under an earlier id, is missed: a new reading finds it. */
  async readOn(): Promise<void> {
    const known = this.#newest;
    const { account, paper } = this.owner;
    const read = (page: Page<OrderId>) => this.ledger.listOrders(account, { paper }, page);
    for await (const found of slices(read, (order) => order.id)) {
      const news = known === undefined ? found : found.filter(({ id }) => id > known);
      for (const order of news) this.add(order);
      if (news.length < found.length) return;
    }
  }

  /** What the counted orders of a strategy, since the last reset, come to; null where two have one number, so that they prove nothing. */
  countedOf(strategyId: StrategyId, reset: number): CountsByOrders | null {
    const runs = [...(this.#runs.get(runsName(strategyId, reset)) ?? [])].sort((a, b) => a.from - b.from);
    if (runs.some(({ from }, i) => from <= (runs[i - 1]?.to ?? 0))) return null;
    return { days: runs.reduce(afterRun, NO_COUNTED_ORDERS.days), last: runs.at(-1)?.to ?? 0 };
  }
}

/** What is kept of counted orders, as they say it. */
interface CountsByOrders {
  readonly days: ByDay<DayOrders>;
  /** The number of the last. */
  readonly last: number;
}

/** A day that was given up for later ones, and came back with a clock that was set back, begins anew: as when it was counted. */
function afterRun(days: ByDay<DayOrders>, { counted }: Run): ByDay<DayOrders> {
  const known = onDay(days, counted.day);
  if (known === undefined) return withDay(days, counted);
  return withDay(days, withCounts({ ...known, start: known.start ?? counted.start }, counted));
}

const runsName = (strategyId: StrategyId, reset: number): string => `${strategyId} ${reset}`;

/**
 * Compares the orders that a strategy counted by day, and the gains from which the losses of these days are measured, with what its
 * orders say.
 */
export function auditOrderCounts(
  { strategyId, counted }: Exposure,
  reset: number,
  counts: CountsReading,
): readonly Finding[] {
  const due = counts.countedOf(strategyId, reset);
  if (due === null) return [];
  const { days, numbered } = counted;
  const lost = due.days.filter(({ day }) => onDay(days, day) === undefined);
  const last = `The number of the last counted order of strategy ${strategyId}`;
  return [
    ...lost.flatMap((one) => auditCounts(undefined, one, strategyId)),
    ...days.flatMap((kept) => auditDay(kept, onDay(due.days, kept.day), strategyId)),
    ...differs(strategyId, last, numbered, due.last),
  ];
}

function auditDay(kept: DayOrders, due: DayOrders | undefined, strategyId: StrategyId): readonly Finding[] {
  if (due === undefined) return auditCounts(kept, undefined, strategyId);
  return [...auditCounts(kept, due, strategyId), ...auditStart(kept, due, strategyId)];
}

/** Findings for each counter of a day that is kept, due, or both. */
function auditCounts(
  kept: DayOrders | undefined,
  due: DayOrders | undefined,
  strategyId: StrategyId,
): readonly Finding[] {
  const { day } = (kept ?? due) as DayOrders;
  return DAY_COUNTERS.flatMap((counter) => {
    const what = `The ${counter} of strategy ${strategyId} on ${day}`;
    return differs(strategyId, what, kept?.[counter] ?? null, due?.[counter] ?? null);
  });
}

function auditStart({ day, start }: DayOrders, due: DayOrders, strategyId: StrategyId): readonly Finding[] {
  const what = `The gain from which strategy ${strategyId} measures its losses of ${day}`;
  if (start !== null && due.start !== null) return compared('losses', strategyId, what, start, due.start, BY_ORDERS);
  if (start === due.start) return [];
  const [is, by] = [start, due.start].map((one) => (one === null ? 'none' : formatMicro(one)));
  const message = `${what}: on record ${is}, ${BY_ORDERS} ${by}.`;
  return [{ check: 'losses', about: strategyId, found: start, expected: due.start, message }];
}

const BY_ORDERS = 'by its orders';

/** A finding where two counts differ; null is none. */
function differs(about: StrategyId, what: string, found: number | null, due: number | null): readonly Finding[] {
  if (found === due) return [];
  const message = `${what}: on record ${found ?? 'none'}, ${BY_ORDERS} ${due ?? 'none'}.`;
  return [{ check: 'bets', about, found: null, expected: null, message }];
}

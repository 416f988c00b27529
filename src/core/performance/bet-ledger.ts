import type { OrderId } from '../ids.js';
import { payoutFor } from '../market/lifecycle.js';
import { marketName } from '../market/market.js';
import { least, minus, NO_SHARES, NO_USDC, ONE, plus, proportion, type Shares, type Usdc } from '../money.js';
import type { OrderEvent } from '../order/event.js';
import type { MarketAtOrder } from '../order/market-at-order.js';
import type { Fill, Order } from '../order/order.js';
import type { BetResult, BetRow, NoClose } from './bet.js';

/** An order as it was right after one of its events. */
export interface BetFact {
  readonly order: Order;
  readonly event: OrderEvent;
}

/** The money of an account on paper, or at one venue: its cash and, at cost, its open bets. */
export interface BetBook {
  /** With what results paid and is not redeemed yet. */
  readonly cash: Usdc;
  readonly atRisk: Usdc;
  /** How often the paper money began anew. */
  readonly resets: number;
  /** What it was worth before its first bet; null until there is one. */
  readonly opening: Usdc | null;
}

const EMPTY: BetBook = { cash: NO_USDC, atRisk: NO_USDC, resets: 0, opening: null };

/** Names what bets depend on each other by: one outcome of a market, in one kind of money. */
export const betOutcome = (bet: Pick<BetRow, 'paper' | 'venue' | 'marketId' | 'outcome'>): string =>
  `${marketName(bet)} ${bet.outcome} ${bet.paper ? 'paper' : 'live'}`;

/** The same of an order. */
export const outcomeOfOrder = ({ intent }: Pick<Order, 'intent'>): string => betOutcome(intent);

/** Names a book: paper, or a venue with real money. */
export const bookName = ({ paper, venue }: Pick<BetRow, 'paper' | 'venue'>): string => (paper ? 'paper' : venue);

/**
 * Makes bets of the steps of an account's orders, taken in the order in which they went on record. A purchase adds to the open bet of
 * its strategy, or of the client, in the outcome, or opens one. A sale takes shares from the seller's own bet first, then from the others
 * there, the oldest first: so the shares of all bets are those of the account, whoever sold. A result ends all bets of its outcome.
 */
export class BetLedger {
  readonly #bets = new Map<string, readonly BetRow[]>();
  readonly #changed = new Map<string, BetRow>();
  readonly #gone = new Set<string>();
  readonly #books: Map<string, BetBook>;

  /** `bets` are those of the outcomes that follow, as far as they are on record. */
  constructor(books: ReadonlyMap<string, BetBook> = new Map(), bets: readonly BetRow[] = []) {
    this.#books = new Map(books);
    for (const bet of bets) this.#bets.set(betOutcome(bet), [...this.#of(betOutcome(bet)), bet]);
  }

  /** All that are known, in the order in which they were opened in each outcome. */
  get bets(): readonly BetRow[] {
    return [...this.#bets.values()].flat();
  }

  /** Those that are new or another by now. */
  get changed(): readonly BetRow[] {
    return [...this.#changed.values()];
  }

  /** The ids of bets that an undone fill, or a reset, took away. */
  get gone(): readonly string[] {
    return [...this.#gone];
  }

  get books(): ReadonlyMap<string, BetBook> {
    return this.#books;
  }

  /** Money that came or, negative, went by other ways than bets. */
  deposit(book: string, amount: Usdc): void {
    const { cash, ...rest } = this.#books.get(book) ?? EMPTY;
    this.#books.set(book, { ...rest, cash: plus(cash, amount) });
  }

  /** Paper money begins anew, with so much more or, negative, less cash: bets that were open there never end, and are taken away. */
  reset(amount: Usdc): void {
    const { cash, resets, opening } = this.#books.get('paper') ?? EMPTY;
    for (const [name, bets] of this.#bets) {
      const left = bets.filter((bet) => !bet.paper || bet.result !== 'open');
      if (left.length < bets.length) this.#put(name, left);
    }
    this.#books.set('paper', { cash: plus(cash, amount), atRisk: NO_USDC, resets: resets + 1, opening });
  }

  /** Takes the next step of an order; most change nothing. An undone fill needs `rebuild`. */
  apply(step: BetFact): void {
    const name = outcomeOfOrder(step.order);
    const before = this.#of(name);
    const after = betsAfter(before, step, this.#bookOf(step.order));
    if (after !== before) this.#put(name, after);
  }

  /** Makes the bets of one outcome anew from all steps of its orders so far, after a fill was undone. */
  rebuild(name: string, steps: readonly BetFact[]): void {
    const known = new Map(this.#of(name).map((bet) => [bet.id, bet]));
    const fills = steps.toSorted(byMoment).reduce<readonly BetRow[]>((bets, step) => betsAfter(bets, step, null), []);
    this.#put(
      name,
      fills.map((bet) => {
        const { equityAtEntry = null, atRisk = null, close = bet.close } = known.get(bet.id) ?? {};
        return { ...bet, equityAtEntry, atRisk, close };
      }),
    );
  }

  #of(name: string): readonly BetRow[] {
    return this.#bets.get(name) ?? [];
  }

  #bookOf({ intent }: Order): BetBook {
    return this.#books.get(bookName(intent)) ?? EMPTY;
  }

  #put(name: string, after: readonly BetRow[]): void {
    const before = this.#of(name);
    this.#bets.set(name, after);
    const left = new Set(after.map(({ id }) => id));
    for (const bet of before) if (!left.has(bet.id)) this.#take(bet.id);
    for (const bet of after) if (!before.includes(bet)) this.#record(bet);
    const [first] = [...before, ...after];
    if (first === undefined) return;
    const { cash, atRisk, resets, opening } = this.#books.get(bookName(first)) ?? EMPTY;
    const flow = minus(sumOf(after, flowOf), sumOf(before, flowOf));
    const risk = minus(sumOf(after, heldCost), sumOf(before, heldCost));
    this.#books.set(bookName(first), {
      cash: plus(cash, flow),
      atRisk: plus(atRisk, risk),
      resets,
      opening: opening ?? plus(cash, atRisk),
    });
  }

  #take(id: string): void {
    this.#changed.delete(id);
    this.#gone.add(id);
  }

  #record(bet: BetRow): void {
    this.#changed.set(bet.id, bet);
    this.#gone.delete(bet.id);
  }
}

const sumOf = (bets: readonly BetRow[], of: (bet: BetRow) => Usdc): Usdc =>
  bets.reduce((total, bet) => plus(total, of(bet)), NO_USDC);

/** The cash that a bet brought so far or, negative, cost. */
const flowOf = ({ soldFor, paid, stake, fees }: Pick<BetRow, 'soldFor' | 'paid' | 'stake' | 'fees'>): Usdc =>
  minus(plus(soldFor, paid), plus(stake, fees));

/** What the shares that an open bet still holds cost, with fees. */
const heldCost = ({ result, held, shares, stake, fees }: BetRow): Usdc =>
  result === 'open' ? proportion(plus(stake, fees), held, shares, 'floor') : NO_USDC;

/** The bets of one outcome after a step of one of its orders; the same where it changes none. */
export function betsAfter(
  bets: readonly BetRow[],
  { order, event: { at, seq, change } }: BetFact,
  book: BetBook | null,
): readonly BetRow[] {
  switch (change.type) {
    case 'fill':
      return order.intent.side === 'BUY'
        ? afterPurchase(bets, order, change.fill, at, seq, book)
        : afterSale(bets, order, change.fill, at, seq);
    case 'settled':
    case 'amended':
      return afterResult(bets, change.perShare ?? perShareOf(order, change.returned), {
        at,
        isAmended: change.type === 'amended',
        resets: book?.resets ?? null,
      });
    default:
      return bets;
  }
}

/** By moment; what was bought at a moment before what was sold then. */
function byMoment(a: BetFact, b: BetFact): number {
  const [first, second] = [a.event.at.getTime(), b.event.at.getTime()];
  if (first !== second) return first - second;
  if (a.order.id === b.order.id) return a.event.seq - b.event.seq;
  if (a.order.intent.side !== b.order.intent.side) return a.order.intent.side === 'BUY' ? -1 : 1;
  return a.order.id < b.order.id ? -1 : 1;
}

const isOpen = ({ result }: BetRow): boolean => result === 'open';
const isOf =
  ({ intent }: Order) =>
  ({ strategy }: BetRow): boolean =>
    (strategy?.id ?? null) === (intent.strategy?.id ?? null);

function afterPurchase(
  bets: readonly BetRow[],
  order: Order,
  fill: Fill,
  at: Date,
  seq: number,
  book: BetBook | null,
): readonly BetRow[] {
  const open = bets.find((bet) => isOpen(bet) && isOf(order)(bet));
  if (open === undefined) return [...bets, traded(opened(order, at, book), order, fill, at, seq)];
  return bets.map((bet) => (bet === open ? traded(bet, order, fill, at, seq) : bet));
}

/** A bet with what a purchase brought and cost. */
function traded(bet: BetRow, order: Order, fill: Fill, at: Date, seq: number): BetRow {
  const { shares, notional, fee, liquidity, model } = fill;
  const is = liquidity === 'MAKER' ? 'maker' : 'taker';
  return worth(bet, {
    ...named(bet, order.id, seq),
    lastFillAt: at,
    shares: plus(bet.shares, shares),
    held: plus(bet.held, shares),
    stake: plus(bet.stake, notional),
    fees: plus(bet.fees, fee),
    liquidity: bet.shares === 0n || bet.liquidity === is ? is : 'mixed',
    fillModels: model === null || bet.fillModels.includes(model) ? bet.fillModels : [...bet.fillModels, model],
  });
}

/** Sells from the seller's own bet, then from the others; proceeds and fee are shared by shares, to the last micro-dollar. */
function afterSale(bets: readonly BetRow[], order: Order, fill: Fill, at: Date, seq: number): readonly BetRow[] {
  const own = bets.filter((bet) => isOpen(bet) && isOf(order)(bet));
  const others = bets.filter((bet) => isOpen(bet) && !isOf(order)(bet));
  const after = new Map<BetRow, BetRow>();
  let left = fill.shares;
  for (const bet of [...own, ...others]) {
    const taken = least(left, bet.held);
    if (taken === 0n) continue;
    const part = (amount: Usdc) => betweenParts(amount, minus(fill.shares, left), taken, fill.shares);
    after.set(bet, soldFrom(bet, order, { taken, proceeds: part(fill.notional), fee: part(fill.fee), at, seq }));
    left = minus(left, taken);
  }
  return after.size === 0 ? bets : bets.map((bet) => after.get(bet) ?? bet);
}

/** The part of an amount for the shares after `from`; adjoining parts add up exactly. */
const betweenParts = (amount: Usdc, from: Shares, shares: Shares, whole: Shares): Usdc =>
  minus(proportion(amount, plus(from, shares), whole, 'floor'), proportion(amount, from, whole, 'floor'));

interface Sold {
  readonly taken: Shares;
  readonly proceeds: Usdc;
  readonly fee: Usdc;
  readonly at: Date;
  readonly seq: number;
}

function soldFrom(bet: BetRow, order: Order, { taken, proceeds, fee, at, seq }: Sold): BetRow {
  const held = minus(bet.held, taken);
  return worth(bet, {
    ...named(bet, order.id, seq),
    lastFillAt: at,
    held,
    soldFor: plus(bet.soldFor, proceeds),
    fees: plus(bet.fees, fee),
    settledAt: held === 0n ? at : null,
    result: held === 0n ? 'closed_early' : 'open',
  });
}

/** Pays what is held; a result that is another one than before pays all anew that results paid, but what a reset took away. */
function afterResult(
  bets: readonly BetRow[],
  perShare: Usdc | null,
  { at, isAmended, resets }: { readonly at: Date; readonly isAmended: boolean; readonly resets: number | null },
): readonly BetRow[] {
  if (perShare === null) return bets;
  const isDue = ({ result, payout, resets: before }: BetRow) =>
    result === 'open' || (isAmended && payout !== null && payout !== perShare && (resets ?? before) === before);
  if (!bets.some(isDue)) return bets;
  let counted = NO_SHARES;
  return bets.map((bet) => {
    if (!isDue(bet)) return bet;
    const paid = minus(payoutFor(plus(counted, bet.held), perShare), payoutFor(counted, perShare));
    counted = plus(counted, bet.held);
    return worth(bet, { paid, payout: perShare, settledAt: bet.settledAt ?? at, result: resultOf(perShare) });
  });
}

/** What a share pays by what a purchase got, in versions before that was on record; null for a sale, which got nothing by the result. */
function perShareOf({ intent, filled }: Order, returned: Usdc): Usdc | null {
  if (intent.side !== 'BUY' || filled.shares === 0n) return null;
  return proportion(returned, ONE as Shares, filled.shares, 'ceil');
}

function resultOf(perShare: Usdc): BetResult {
  if (perShare === ONE) return 'won';
  return perShare === 0n ? 'lost' : 'split';
}

/** The bet as it is after a change, with the profit that follows; open shares count for nothing here until they are marked. */
function worth(bet: BetRow, change: Partial<BetRow>): BetRow {
  const { soldFor = bet.soldFor, paid = bet.paid, stake = bet.stake, fees = bet.fees } = change;
  return { ...bet, ...change, profit: flowOf({ soldFor, paid, stake, fees }) };
}

/** An open bet with what its shares would bring now. */
export const markedBet = (bet: BetRow, value: Usdc): BetRow =>
  isOpen(bet) ? { ...bet, profit: plus(flowOf(bet), value) } : bet;

/** The orders of a bet with one that traded it, and how far that order had come then. */
function named({ orderIds, orderSeqs }: BetRow, id: OrderId, seq: number): Pick<BetRow, 'orderIds' | 'orderSeqs'> {
  const at = orderIds.indexOf(id);
  if (at === -1) return { orderIds: [...orderIds, id], orderSeqs: [...orderSeqs, seq] };
  return { orderIds, orderSeqs: orderSeqs.with(at, seq) };
}

/** A bet before its first fill. */
function opened({ id, account, intent, fills, atArrival }: Order, at: Date, book: BetBook | null): BetRow {
  const { paper, venue, marketId, question, outcome, outcomeLabel, strategy, decidedOn } = intent;
  const market = decidedOn ?? UNKNOWN_MARKET;
  const { startsAt } = market;
  const isInPlay = startsAt !== null && at >= startsAt;
  return {
    id: fills.length === 1 ? id : `${id}.${fills.length}`,
    account,
    paper,
    venue,
    marketId,
    event: market.event,
    question,
    sport: market.sport,
    league: market.league,
    kind: market.kind,
    line: market.line,
    strategy,
    outcome,
    outcomeLabel,
    side: market.side,
    firstFillAt: at,
    lastFillAt: at,
    settledAt: null,
    startsAt,
    secondsToStart: startsAt === null ? null : Math.floor((startsAt.getTime() - at.getTime()) / 1000),
    phase: isInPlay ? 'in_play' : 'pre',
    shares: NO_SHARES,
    held: NO_SHARES,
    stake: NO_USDC,
    fees: NO_USDC,
    atDecision: market.quoted,
    atArrival: atArrival ?? null,
    probability: market.probability,
    close: closeBefore(startsAt, isInPlay),
    payout: null,
    paid: NO_USDC,
    soldFor: NO_USDC,
    profit: NO_USDC,
    result: 'open',
    liquidity: 'taker',
    fillModels: [],
    orderIds: [],
    orderSeqs: [],
    equityAtEntry: book === null ? null : plus(book.cash, book.atRisk),
    atRisk: book === null ? null : book.atRisk,
    resets: book?.resets ?? 0,
  };
}

function closeBefore(startsAt: Date | null, isInPlay: boolean): NoClose {
  if (startsAt === null) return 'no_start';
  return isInPlay ? 'in_play' : 'not_started';
}

const UNKNOWN_MARKET: MarketAtOrder = {
  event: null,
  sport: null,
  league: null,
  kind: null,
  line: null,
  startsAt: null,
  side: 'BACK',
  probability: null,
  quoted: null,
};

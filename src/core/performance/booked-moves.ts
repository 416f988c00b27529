import type { JournalEntry, JournalLine } from '../account/account.js';
import { type MarketRef, marketName, type OutcomeSide } from '../market/market.js';
import type { Side } from '../market/side.js';
import { least, minus, NO_SHARES, NO_USDC, ONE, plus, proportion, type Shares, type Usdc } from '../money.js';
import type { Fill, Order } from '../order/order.js';

/** An outcome as people name it. */
export interface MovedOutcome extends MarketRef {
  readonly outcome: OutcomeSide;
  readonly label: string | null;
  readonly question: string | null;
  /** The title of the event of the market. */
  readonly event: string | null;
}

/** An entry of the journal as people account for it. What undoes a trade has the amounts of the trade, negative. */
export interface BookedMove {
  readonly entry: JournalEntry;
  /** Null where the entry is about no outcome, or does not say which one. */
  readonly of: MovedOutcome | null;
  /** That of the order; null where no order moved the money. */
  readonly side: Side | null;
  readonly shares: Shares | null;
  /** What a share cost, brought or, by a result, paid. */
  readonly price: bigint | null;
  readonly fee: Usdc;
  /** What a sale or a result brought, before fees; null for all else. */
  readonly proceeds: Usdc | null;
  /** What its shares had cost on average, with the fees of their purchase; null where no shares went. */
  readonly cost: Usdc | null;
  /** Proceeds less cost and fee. All of an account add up to what its positions realised less fees, without the fees of what is held. */
  readonly profit: Usdc;
  /** What the cash gained or, negative, lost. */
  readonly cash: Usdc;
}

/** The fill of an entry that books or undoes one, with its order. */
export interface MovedFill {
  readonly order: Order;
  readonly fill: Fill;
}

interface Held {
  readonly shares: Shares;
  /** What was paid in fees for them. */
  readonly fees: Usdc;
  readonly of: MovedOutcome;
}

/**
 * Makes moves of the entries of one kind of money of an account, taken in their order from the first. It remembers what is held, and
 * nothing of what is over. A trade whose money and fee round to nothing has no entry: its shares are not counted.
 */
export class BookedMoves {
  readonly #held = new Map<string, Held>();

  /** @param moved the fill that the entry books or undoes; null for all other entries */
  take(entry: JournalEntry, moved: MovedFill | null): BookedMove {
    if (moved !== null) return this.#traded(entry, moved);
    if (entry.cause === 'settlement') return this.#settled(entry);
    const returned = entry.cause === 'reversal' ? minus(NO_USDC, sumOf(entry, 'realised')) : null;
    const feesOfHeld = entry.cause === 'reset' ? this.#reset() : NO_USDC;
    return moveOf(entry, { proceeds: returned, feesOfHeld });
  }

  #traded(entry: JournalEntry, { order, fill }: MovedFill): BookedMove {
    const { side } = order.intent;
    const of = outcomeOfOrder(order);
    const before = this.#held.get(nameOf(of)) ?? { shares: NO_SHARES, fees: NO_USDC, of };
    const isUndone = entry.cause === 'void';
    const sign = isUndone ? -1n : 1n;
    const came = ((side === 'BUY' ? sign : -sign) * fill.shares) as Shares;
    const shares = plus(before.shares, came);
    const after = shares > 0n ? feesAfter(before.fees, { side, fill, isUndone }) : NO_USDC;
    if (shares > 0n) this.#held.set(nameOf(of), { shares, fees: after, of });
    else this.#held.delete(nameOf(of));
    const feesOfHeld = minus(after, before.fees);
    const proceeds = side === 'SELL' ? ((sign * fill.notional) as Usdc) : null;
    const size = { side, shares: (sign * fill.shares) as Shares, price: fill.price };
    return moveOf(entry, { of, ...size, proceeds, feesOfHeld, isSale: side === 'SELL' });
  }

  #settled(entry: JournalEntry): BookedMove {
    const paid = plus(sumOf(entry, 'cash'), sumOf(entry, 'redeemable'));
    const held = entry.lines.find(({ ledger }) => ledger === 'position')?.held;
    const known = held == null ? undefined : this.#held.get(nameOf(held));
    if (held == null || known === undefined) return moveOf(entry, { proceeds: paid, isSale: held != null });
    this.#held.delete(nameOf(held));
    const { shares, fees, of } = known;
    const price = paid > shares ? null : proportion(paid, ONE as Shares, shares, 'ceil');
    const feesOfHeld = minus(NO_USDC, fees);
    return moveOf(entry, { of, shares, price, proceeds: paid, feesOfHeld, isSale: true });
  }

  #reset(): Usdc {
    const fees = [...this.#held.values()].reduce((sum, held) => plus(sum, held.fees), NO_USDC);
    this.#held.clear();
    return minus(NO_USDC, fees);
  }
}

/** What was paid in fees for the shares that are held after a trade, where some are. */
function feesAfter(
  before: Usdc,
  { side, fill, isUndone }: { readonly side: Side; readonly fill: Fill; readonly isUndone: boolean },
): Usdc {
  const taken = fill.basis.fees ?? NO_USDC;
  if (side === 'SELL') return isUndone ? plus(before, taken) : minus(before, least(taken, before));
  return isUndone ? minus(before, least(fill.fee, before)) : plus(before, fill.fee);
}

interface Parts extends Partial<Pick<BookedMove, 'of' | 'side' | 'shares' | 'price' | 'proceeds'>> {
  /** By how much the fees grew that were paid for what is held. */
  readonly feesOfHeld?: Usdc;
  /** Whether shares went for its proceeds. */
  readonly isSale?: boolean;
}

function moveOf(entry: JournalEntry, parts: Parts): BookedMove {
  const { of = null, side = null, shares = null, price = null, proceeds = null } = parts;
  const { feesOfHeld = NO_USDC, isSale = false } = parts;
  const fee = sumOf(entry, 'fees');
  const gained = minus(NO_USDC, sumOf(entry, 'realised'));
  const cost = isSale ? minus(NO_USDC, plus(sumOf(entry, 'position'), feesOfHeld)) : null;
  const profit = plus(minus(gained, fee), feesOfHeld);
  return { entry, of, side, shares, price, fee, proceeds, cost, profit, cash: sumOf(entry, 'cash') };
}

const sumOf = ({ lines }: JournalEntry, of: JournalLine['ledger']): Usdc =>
  lines.reduce((sum, { ledger, amount }) => (ledger === of ? plus(sum, amount) : sum), NO_USDC);

const nameOf = (held: MarketRef & Pick<MovedOutcome, 'outcome'>): string => `${marketName(held)} ${held.outcome}`;

function outcomeOfOrder({ intent }: Order): MovedOutcome {
  const { venue, marketId, outcome, outcomeLabel, question, decidedOn } = intent;
  return { venue, marketId, outcome, label: outcomeLabel, question, event: decidedOn?.event?.title ?? null };
}

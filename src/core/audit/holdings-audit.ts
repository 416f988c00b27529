import type { VenueHoldings } from '../../ports/venue-adapter.js';
import type { Balance } from '../account/account.js';
import type { Position } from '../account/position.js';
import type { MarketId, VenueName } from '../ids.js';
import { formatMicro } from '../money.js';
import { isWorking } from '../order/lifecycle.js';
import { mostShares, type Order, reservedCash } from '../order/order.js';

/**
 * How a venue's figure relates to that of the books, where they are not equal: `differs` is an error, `unknown` may be one or may only be
 * news that is not booked or not shown yet, and `told` is none.
 */
export type HoldingsVerdict = 'differs' | 'unknown' | 'told';

/** A figure of the venue that is not that of the books. */
export interface HoldingsFinding {
  readonly verdict: HoldingsVerdict;
  /** Whose net position it is; null for the cash. */
  readonly marketId: MarketId | null;
  readonly recorded: bigint;
  readonly atVenue: bigint;
  readonly message: string;
}

/** A net position that is not the venue's. */
interface OtherNet {
  readonly marketId: MarketId;
  readonly recorded: bigint;
  readonly atVenue: bigint;
}

/**
 * Compares what all accounts together hold at a venue that nets with what it shows. It is fetched before the books are read: then only an
 * order that still works, or that changed since, can have moved what the two do not share yet, and by no more than its shares.
 */
export class HoldingsAudit {
  readonly #nets = new Map<MarketId, bigint>();
  readonly #moving = new Map<MarketId, bigint>();
  #cash = 0n;
  /** How much less cash the venue may show for a moment, or for as long as orders rest. */
  #awaited = 0n;
  /** How much less it may have for good. */
  #rounded = 0n;

  constructor(
    private readonly venue: VenueName,
    private readonly holdings: VenueHoldings,
  ) {}

  /** Adds the position of a whole account; one on paper or at another venue counts for nothing. */
  addPosition({ paper, venue, marketId, outcome, shares, settled, strategyId }: Position): void {
    if (paper || venue !== this.venue || strategyId !== null) return;
    add(this.#nets, marketId, outcome === 'YES' ? shares : -shares);
    if (settled > 0n) this.#rounded += this.holdings.rounding.perResult;
  }

  /** Adds the cash of an account. */
  addBalance({ paper, venue, cash }: Balance): void {
    if (!paper && venue === this.venue) this.#cash += cash;
  }

  /** Adds an order. To be called once all positions are added, so that what is booked meanwhile is seen here. */
  addOrder(order: Order): void {
    const { intent, state, venueOrderId, fills, updatedAt } = order;
    if (intent.paper || intent.venue !== this.venue || venueOrderId === null) return;
    this.#rounded += this.holdings.rounding.perFill * BigInt(fills.length);
    const isFresh = updatedAt >= this.holdings.asOf;
    if (!isFresh && !isWorking(state)) return;
    const most = mostShares(intent);
    add(this.#moving, intent.marketId, most);
    // A result and a sale bring a dollar a share at most.
    this.#awaited += reservedCash(order) + (isFresh ? most : 0n);
  }

  /** What is not equal. `hasPaid` is asked of the venue for a market where it has no position any more. */
  async findings(): Promise<readonly HoldingsFinding[]> {
    const markets = new Set([...this.#nets.keys(), ...this.holdings.positions.keys()]);
    const others: HoldingsFinding[] = [];
    for (const marketId of [...markets].sort()) {
      const [recorded, atVenue] = [this.#nets.get(marketId) ?? 0n, this.holdings.positions.get(marketId) ?? 0n];
      if (recorded !== atVenue) others.push(await this.#ofMarket({ marketId, recorded, atVenue }));
    }
    return [...others, ...this.#ofCash()];
  }

  /** How many markets there is a net position of, here or there. */
  get markets(): number {
    const held = [...this.#nets].filter(([, net]) => net !== 0n).map(([marketId]) => marketId);
    return new Set([...held, ...this.holdings.positions.keys()]).size;
  }

  async #ofMarket(net: OtherNet): Promise<HoldingsFinding> {
    const { marketId, recorded, atVenue } = net;
    const off =
      atVenue > recorded ? `${formatMicro(atVenue - recorded)} more` : `${formatMicro(recorded - atVenue)} less`;
    const figures = `the books have ${formatMicro(recorded)}, the venue ${formatMicro(atVenue)}, ${off}`;
    const [verdict, why] = await this.#verdictOf(net);
    return { ...net, verdict, message: `The net position of ${marketId}: ${figures}.${why}` };
  }

  async #verdictOf({ marketId, recorded, atVenue }: OtherNet): Promise<readonly [HoldingsVerdict, string]> {
    const off = atVenue > recorded ? atVenue - recorded : recorded - atVenue;
    if (off <= (this.#moving.get(marketId) ?? 0n)) return ['unknown', ORDERS_MOVE];
    if (atVenue !== 0n) return ['differs', ''];
    const paid = await this.holdings.hasPaid(marketId);
    if (paid === null) return ['unknown', ' It does not say whether it has paid the result.'];
    return paid ? ['unknown', ' It has paid the result, which is not booked yet.'] : ['differs', ''];
  }

  #ofCash(): readonly HoldingsFinding[] {
    const { cash: atVenue } = this.holdings;
    const recorded = this.#cash;
    const less = recorded - atVenue;
    if (less === 0n) return [];
    const off = less < 0n ? `${formatMicro(-less)} more` : `${formatMicro(less)} less`;
    const figures = `the books have ${formatMicro(recorded)} USDC, the venue ${formatMicro(atVenue)}, ${off}`;
    const [verdict, why] = this.#verdictOfCash(less);
    return [{ marketId: null, recorded, atVenue, verdict, message: `The cash: ${figures}.${why}` }];
  }

  #verdictOfCash(less: bigint): readonly [HoldingsVerdict, string] {
    if (less < 0n) return ['told', ' It may be money of nobody here, or of netted pairs.'];
    if (less <= this.#rounded) return ['told', ' That is how the venue rounds.'];
    return less <= this.#rounded + this.#awaited ? ['unknown', ORDERS_MOVE] : ['differs', ''];
  }
}

const ORDERS_MOVE = ' Orders that work, or that changed a moment ago, may be why.';

function add(sums: Map<MarketId, bigint>, marketId: MarketId, amount: bigint): void {
  sums.set(marketId, (sums.get(marketId) ?? 0n) + amount);
}

import type { VenueName } from '../../src/core/ids.js';
import type { Order } from '../../src/core/order/order.js';
import type { Accepted, Exchange, LocalVenue, PlaceResult } from '../../src/ports/exchange.js';
import { anExecution, shares } from '../support/builders.js';

/** Where a liar bends what an honest venue would have answered. */
export type Bend = (answer: Accepted, order: Order) => Accepted;

/** A venue that keeps every promise: executes one share at once (a FOK whole), and rests or drops what is left. */
export class HonestExchange implements Exchange {
  readonly venue = 'honest' as VenueName;
  readonly local: LocalVenue | null = null;
  readonly signing = null;
  readonly #orders = new Map<string, Accepted>();

  constructor(private readonly bend: Bend = (answer) => answer) {}

  closedForMs(): null {
    return null;
  }

  async place(order: Order): ReturnType<Exchange['place']> {
    return this.decide(order);
  }

  /** What `place` resolves with. */
  decide(order: Order): PlaceResult {
    const known = this.#orders.get(order.id);
    if (known !== undefined) return known;
    const { intent, id } = order;
    const taken = intent.timeInForce === 'FOK' ? intent.shares : shares('1');
    const liquidity = intent.postOnly ? 'MAKER' : 'TAKER';
    const executions = [anExecution({ shares: taken, price: intent.price, liquidity })];
    const unfilled = intent.timeInForce === 'FAK' ? 'cancelled' : 'open';
    const rest = taken === intent.shares ? 'none' : unfilled;
    const answer = this.bend({ kind: 'accepted', venueOrderId: `v-${id}`, executions, failed: [], rest }, order);
    this.#orders.set(id, answer);
    return answer;
  }

  async cancel({ id }: Order): ReturnType<Exchange['cancel']> {
    const known = this.#orders.get(id);
    if (known === undefined || known.rest === 'none') return { kind: 'refused', reason: 'nothing rests' };
    this.#orders.set(id, { ...known, rest: 'cancelled' });
    return { kind: 'cancelled' };
  }

  async find({ id }: Order): ReturnType<Exchange['find']> {
    return this.#orders.get(id) ?? { kind: 'absent' };
  }

  forget(): void {
    this.#orders.clear();
  }
}

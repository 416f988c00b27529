// A venue in one file. Its only other trader shows 10 shares at a time: buys them at 0.40, sells them at 0.60.
// Run it to check it against the contract of every venue: `npx tsx examples/own-exchange.ts`.
import { pathToFileURL } from 'node:url';
import {
  type Accepted,
  type CancelResult,
  type Exchange,
  type Execution,
  type Order,
  type OrderId,
  type OrderStatusReport,
  type PlaceResult,
  price,
  type Shares,
  shares,
  usdc,
  venueName,
} from 'stakeport';
import { exchangeContract } from 'stakeport/testing';

const SHOWN = shares('10');
const QUOTES = { BUY: price('0.60'), SELL: price('0.40') };

/** Fills an order from the quotes, rests the remainder, and remembers every order. For a remote venue this would be the server. */
export class OwnExchange implements Exchange {
  readonly venue = venueName('own');
  readonly local = null;
  readonly signing = null;
  readonly #orders = new Map<OrderId, Accepted>();

  closedForMs(): null {
    return null;
  }

  async place(order: Order): Promise<PlaceResult> {
    const known = this.#orders.get(order.id);
    if (known !== undefined) return known;
    const { side, price: limit, shares: wanted, timeInForce, postOnly } = order.intent;
    const crosses = side === 'BUY' ? limit >= QUOTES.BUY : limit <= QUOTES.SELL;
    if (crosses && postOnly) return no('post_only_would_take', 'The order would trade at once.');
    const taken = crosses ? smaller(wanted, SHOWN) : shares('0');
    if (timeInForce === 'FOK' && taken < wanted) return no('not_enough_shown', 'The order cannot be filled whole.');
    const executions = taken === 0n ? [] : [this.#trade(order, taken)];
    const unfilled = timeInForce === 'FAK' ? 'cancelled' : 'open';
    return this.#keep(order, { executions, rest: taken === wanted ? 'none' : unfilled });
  }

  async cancel({ id }: Order): Promise<CancelResult> {
    const known = this.#orders.get(id);
    if (known === undefined) return { kind: 'refused', reason: 'there is no such order' };
    if (known.rest === 'none') return { kind: 'refused', reason: 'the order is filled' };
    this.#orders.set(id, { ...known, rest: 'cancelled' });
    return { kind: 'cancelled' };
  }

  async find({ id }: Order): Promise<OrderStatusReport> {
    return this.#orders.get(id) ?? { kind: 'absent' };
  }

  #keep({ id }: Order, outcome: Pick<Accepted, 'executions' | 'rest'>): Accepted {
    const accepted: Accepted = { kind: 'accepted', venueOrderId: `own-${id}`, failed: [], ...outcome };
    this.#orders.set(id, accepted);
    return accepted;
  }

  #trade({ id, intent }: Order, taken: Shares): Execution {
    const money = { shares: taken, price: QUOTES[intent.side], fee: usdc('0') };
    return { tradeId: `own-${id}-1`, ...money, liquidity: 'TAKER', confirmed: true, model: null };
  }
}

const smaller = (a: Shares, b: Shares): Shares => (a < b ? a : b);

function no(code: string, message: string): PlaceResult {
  return { kind: 'rejected', refusal: { code, message } };
}

/** Prints a line for each check; the process fails if one fails. */
async function main(): Promise<void> {
  for (const { name, check } of exchangeContract(async () => ({ exchange: new OwnExchange() }))) {
    try {
      await check();
      console.log(`ok      ${name}`);
    } catch (error) {
      console.log(`broken  ${name}: ${error instanceof Error ? error.message : error}`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

import { setImmediate } from 'node:timers/promises';
import { BookPaperExchange } from '../../src/adapters/paper/index.js';
import { openTape } from '../../src/adapters/tape/index.js';
import type { AccountId } from '../../src/core/ids.js';
import { notional } from '../../src/core/money.js';
import { RecordReports } from '../../src/core/usecases/record-reports.js';
import { RetraceOrders } from '../../src/core/usecases/retrace-orders.js';
import type { Exchange } from '../../src/ports/exchange.js';
import type { Ledger } from '../../src/ports/ledger.js';
import type { Ids } from '../../src/ports/system.js';
import type { Step } from '../core/matching/stories.js';
import { aDesk, usdc } from './builders.js';
import { Trading } from './trading.js';

/** What a trader does at one moment of a tape. `key` makes it the same intent, however often it is tried. */
export type Deed = { readonly at: Date; readonly key: string } & (
  | { readonly type: 'order'; readonly ask: (Step & { type: 'order' })['ask'] }
  | { readonly type: 'cancel'; readonly placedAt: Date; readonly account: AccountId }
);

/** A ledger that stops answering for good at a write, as in a process that is killed before or after it was durable. */
export function dyingLedger(ledger: Ledger, writes: number, last: 'lost' | 'kept') {
  let written = 0;
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => {});
  const write: Ledger['write'] = async (scope, decide) => {
    written += 1;
    if (written < writes) return ledger.write(scope, decide);
    if (written === writes && last === 'kept') await ledger.write(scope, decide);
    die();
    return never;
  };
  const get = (target: Ledger, name: string | symbol) => {
    if (name === 'write') return write;
    const member: unknown = Reflect.get(target, name);
    return typeof member === 'function' ? member.bind(target) : member;
  };
  return { ledger: new Proxy(ledger, { get }), died, written: () => written };
}

/** A trader with a tape, on a ledger that outlives him. */
export class TapeSession {
  /** Errors that were told of orders, or that a deed met. */
  readonly faults: unknown[] = [];
  #abandoned = false;
  /** How many deeds have reached the exchange. */
  #sent = 0;

  constructor(
    private readonly ledger: Ledger,
    private readonly path: string,
    private readonly ids: Ids,
    private readonly latencyMs: number,
  ) {}

  /** Plays the tape to its end, as fast as it goes, and does what has not been done yet, each at its moment. */
  async play(deeds: readonly Deed[]): Promise<void> {
    const tape = await openTape(this.path, { speed: 'max' });
    const desk = aDesk({ clock: tape, ids: this.ids, openingCash: usdc('80') });
    const reports = new RecordReports(this.ledger, desk);
    const exchange = new BookPaperExchange({
      ...{ markets: tape, timeline: tape, latencyMs: this.latencyMs },
      sink: async (order, told) => void (await reports.execute(order, told)),
      onFault: (error) => this.faults.push(error),
    });
    const trading = new Trading(this.ledger, { desk, markets: tape, paper: this.#counting(exchange) });
    const resumeFrom = await new RetraceOrders(this.ledger, exchange).execute(tape.index);
    for (const deed of deeds) if (deed.at >= resumeFrom) tape.at(deed.at, () => this.#do(trading, deed));
    await tape.start(resumeFrom);
    await tape.ended;
    tape.stop();
    exchange.close();
  }

  /** Waits for nothing any more. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Resolves when the deed has reached the exchange, or was refused before: the answer takes time, which the tape has to go on for. */
  async #do(trading: Trading, deed: Deed): Promise<void> {
    const before = this.#sent;
    let over = false;
    const done = this.#begin(trading, deed).finally(() => {
      over = true;
    });
    done.catch((error: unknown) => this.faults.push(error));
    while (!over && !this.#abandoned && this.#sent === before) await setImmediate();
  }

  async #begin(trading: Trading, deed: Deed): Promise<unknown> {
    const command = { mayTradeLive: false, idempotencyKey: deed.key };
    if (deed.type === 'order') {
      const { shares, price } = deed.ask;
      return trading.place({ ...deed.ask, size: notional(shares, price, 'ceil') }, command);
    }
    const { account, placedAt, key } = deed;
    const orders = await trading.ledger.listOrders(account, {}, { limit: 1000 });
    const order = orders.find((placed) => placed.placedAt.getTime() === placedAt.getTime());
    if (order?.state !== 'open') return;
    return trading.cancelOrder.execute({ account, orderId: order.id, idempotencyKey: key });
  }

  #counting(exchange: BookPaperExchange): Exchange {
    const sent = <T>(answer: Promise<T>): Promise<T> => {
      this.#sent += 1;
      return answer;
    };
    return {
      ...{ venue: exchange.venue, local: exchange.local },
      place: (order) => sent(exchange.place(order)),
      cancel: (order) => sent(exchange.cancel(order)),
      find: (order) => exchange.find(order),
    };
  }
}

import { BookPaperExchange } from '../../src/adapters/paper/index.js';
import { openTape, type TapeMarketData } from '../../src/adapters/tape/index.js';
import { repeat } from '../../src/core/concurrency/repeat.js';
import type { AccountId } from '../../src/core/ids.js';
import { notional } from '../../src/core/money.js';
import { replayUseCase } from '../../src/core/usecases/compose.js';
import { marketsAt } from '../../src/core/venues/venues.js';
import type { Bookmarks, Ledger } from '../../src/ports/ledger.js';
import type { Ids } from '../../src/ports/system.js';
import type { Step } from '../core/matching/stories.js';
import { anOrderContext, usdc } from './builders.js';
import { Trading } from './trading.js';

/** A trader's action at one moment of a tape. `key` makes it the same intent at every attempt. */
export type Action = { readonly at: Date; readonly key: string } & (
  | { readonly type: 'order'; readonly ask: (Step & { type: 'order' })['ask'] }
  | { readonly type: 'cancel'; readonly placedAt: Date; readonly account: AccountId }
);

/** A ledger that stops answering for good at a write, as when the process is killed before or after it was durable. */
export function dyingLedger(ledger: Ledger & Bookmarks, writes: number, last: 'lost' | 'kept') {
  let written = 0;
  let dead = false;
  let die = () => {};
  const died = new Promise<void>((resolve) => {
    die = () => {
      dead = true;
      resolve();
    };
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
    if (name === 'setBookmark' && dead) return () => never;
    const member: unknown = Reflect.get(target, name);
    return typeof member === 'function' ? member.bind(target) : member;
  };
  return { ledger: new Proxy<Ledger & Bookmarks>(ledger, { get }), died, written: () => written };
}

/** A trader with a tape, on a ledger that outlives the trader. */
export class TapeSession {
  /** Errors reported about orders, or thrown by a step. */
  readonly faults: unknown[] = [];

  constructor(
    private readonly ledger: Ledger & Bookmarks,
    private readonly path: string,
    private readonly ids: Ids,
    private readonly latencyMs: number,
    /** How often the playback position is saved; never when absent. */
    private readonly bookmarkEveryMs: number | null = null,
  ) {}

  /** Plays the tape to its end, at full speed, and performs each remaining step at its moment. */
  async play(actions: readonly Action[]): Promise<void> {
    const tape = await openTape(this.path, { speed: 'max' });
    const context = anOrderContext({ clock: tape, ids: this.ids, openingCash: usdc('80') });
    const exchange = new BookPaperExchange({
      markets: marketsAt(tape),
      timeline: tape,
      latencyMs: this.latencyMs,
      sink: async (order, report) => void (await trading.use.orders.recordReports.execute(order, report)),
      onFault: (error) => this.faults.push(error),
    });
    const trading: Trading = new Trading(this.ledger, {
      context,
      markets: tape,
      paper: tape.reaching(exchange),
    });
    const time = { ...tape.index, name: this.path };
    const resumeFrom = await replayUseCase(trading.ports, this.ledger, exchange).execute(time);
    const setBookmark = () => this.ledger.setBookmark(this.path, tape.now());
    if (this.bookmarkEveryMs !== null) repeat(tape, this.bookmarkEveryMs, setBookmark);
    for (const action of actions) if (action.at >= resumeFrom) this.#plan(tape, trading, action);
    await tape.start(resumeFrom);
    await tape.ended;
    tape.stop();
    exchange.close();
  }

  #plan(tape: TapeMarketData, trading: Trading, action: Action): void {
    const fail = (error: unknown) => void this.faults.push(error);
    tape.at(action.at, () => this.#do(trading, action).then(() => {}, fail));
  }

  async #do(trading: Trading, action: Action): Promise<unknown> {
    const command = { mayTradeLive: false, idempotencyKey: action.key };
    if (action.type === 'order') {
      const { shares, price } = action.ask;
      return trading.place({ ...action.ask, size: notional(shares, price, 'ceil') }, command);
    }
    const { account, placedAt, key } = action;
    const orders = await trading.ledger.listOrders(account, {}, { limit: 1000 });
    const order = orders.find((placed) => placed.placedAt.getTime() === placedAt.getTime());
    if (order?.state !== 'open') return;
    return trading.cancelOrder.execute({ account, orderId: order.id, idempotencyKey: key });
  }
}

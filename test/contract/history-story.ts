import fc from 'fast-check';
import type { AccountId } from '../../src/core/ids.js';
import { minus, type Price, type Shares, type Usdc } from '../../src/core/money.js';
import type { OrderDraft } from '../../src/core/order/draft.js';
import type { Execution, Fill } from '../../src/core/order/order.js';
import { type Order, remaining } from '../../src/core/order/order.js';
import { recordStatusReport } from '../../src/core/posting/outcome.js';
import type { Strategy } from '../../src/core/strategy/strategy.js';
import type { OrderStatusReport } from '../../src/ports/exchange.js';
import { anExecution, ONE_LOT, usdc, WHERE } from '../support/builders.js';
import { ScriptedExchange } from '../support/scripted-exchange.js';
import { look, type Trading, trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

const LARGEST = 30_000_000;

/** Shares that execute, in hundredths of what is left; how much better than the limit, in thousandths; the fee. */
interface Trade {
  readonly part: number;
  readonly better: number;
  readonly fee: bigint;
  readonly confirmed: boolean;
}

interface Answer {
  readonly kind: 'accepted' | 'rejected' | 'unknown' | 'absent';
  readonly trades: readonly Trade[];
  readonly rest: 'open' | 'delayed' | 'cancelled';
}

/** One thing that happens: a client's request, or something that the venue says. `pick` chooses the order it is about. */
export type Command =
  | {
      readonly type: 'place';
      /** `held`: a part of the shares that are free, `blind`: whether there are any or not. */
      readonly sell: 'no' | 'held' | 'blind';
      readonly no: boolean;
      readonly strategy: number;
      readonly price: number;
      readonly size: number;
      readonly answer: Answer;
    }
  | { readonly type: 'fill'; readonly pick: number; readonly trade: Trade }
  | { readonly type: 'confirm'; readonly pick: number }
  | { readonly type: 'expire'; readonly pick: number }
  | { readonly type: 'void'; readonly pick: number; readonly resting: boolean }
  | { readonly type: 'cancel'; readonly pick: number; readonly answer: 'cancelled' | 'refused' | 'unknown' }
  | { readonly type: 'look'; readonly pick: number; readonly answer: Answer };

const trade: fc.Arbitrary<Trade> = fc.record({
  part: fc.constantFrom(100, 100, 50, 33, 7),
  better: fc.constantFrom(0, 0, 1, 7, 50),
  fee: fc.constantFrom(0n, 0n, 1n, 12_345n),
  confirmed: fc.boolean(),
});
const answer: fc.Arbitrary<Answer> = fc.record({
  kind: fc.constantFrom('accepted', 'accepted', 'accepted', 'accepted', 'accepted', 'rejected', 'unknown', 'absent'),
  trades: fc.array(trade, { maxLength: 3 }),
  rest: fc.constantFrom('open', 'open', 'delayed', 'cancelled'),
});
const pick = fc.nat({ max: 30 });

export const aCommand: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('place' as const),
      sell: fc.constantFrom(
        'no' as const,
        'no' as const,
        'no' as const,
        'held' as const,
        'held' as const,
        'blind' as const,
      ),
      no: fc.nat({ max: 9 }).map((n) => n === 0),
      strategy: fc.nat({ max: 2 }),
      // Prices on the venue's tick, and prices at which nothing divides.
      price: fc.oneof(
        fc.integer({ min: 1, max: 999 }).map((n) => n * 1000),
        fc.integer({ min: 1, max: 999_999 }),
      ),
      size: fc.oneof(fc.integer({ min: 1, max: LARGEST }), fc.constant(LARGEST)),
      answer,
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('fill' as const), pick, trade }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('confirm' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('expire' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('void' as const), pick, resting: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('cancel' as const),
      pick,
      answer: fc.constantFrom('cancelled' as const, 'refused' as const, 'unknown' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('look' as const), pick, answer }) },
);

/** Plays commands on a ledger for one fresh account with two strategies; a command that cannot happen now is passed over. */
export class Story {
  readonly trader: Trading;
  readonly #exchange = new ScriptedExchange();
  strategies: readonly Strategy[] = [];
  /** What undone sales put back to work, by strategy: the one thing besides fees that no cap can hold. */
  readonly putBack = new Map<string, bigint>();

  constructor(
    readonly ledger: OpenedLedger['ledger'],
    readonly account: AccountId,
  ) {
    this.trader = trading(ledger, { paper: this.#exchange });
  }

  async begin(): Promise<this> {
    const caps = { bankrollCap: usdc('45'), stakeCap: usdc('30') };
    this.strategies = [await this.trader.strategy(caps, this.account), await this.trader.strategy(caps, this.account)];
    return this;
  }

  orders(): Promise<readonly Order[]> {
    return this.ledger.listOrders(this.account, {}, { limit: 100 });
  }

  async play(command: Command): Promise<void> {
    if (command.type === 'place') return this.#place(command);
    const about = await this.#choose(command);
    if (about === undefined) return;
    switch (command.type) {
      case 'cancel':
        return this.#cancel(about, command.answer);
      case 'look':
        await this.trader.book(about, (posting) => recordStatusReport(posting, this.#answer(about, command.answer)));
        return;
      case 'expire':
        await this.trader.book(about, (posting) => posting.record({ type: 'expired', reason: 'its time has come' }));
        return;
      case 'fill':
        await this.trader.book(about, (posting) => {
          for (const execution of executionsOf(about, [command.trade])) posting.fill(execution);
        });
        return;
      default:
        return this.#settleFill(about, command);
    }
  }

  async #place(command: Extract<Command, { type: 'place' }>): Promise<void> {
    const { sell, no, strategy, price, size, answer: venueAnswer } = command;
    this.#exchange.script.place = (order) => {
      const report = this.#answer(order, venueAnswer);
      return report.kind === 'absent' ? { kind: 'unknown', reason: 'no answer' } : report;
    };
    const draft = {
      account: this.account,
      side: sell === 'no' ? 'BUY' : 'SELL',
      outcome: no ? 'NO' : 'YES',
      price: BigInt(price) as Price,
      size: BigInt(size) as Usdc,
      strategyId: this.strategies[strategy]?.id ?? null,
    } as const;
    await this.trader.place(sell === 'held' ? { ...draft, size: await this.#worthHeld(draft) } : draft);
  }

  /** As much of the free shares as the size is of the largest size that is ever requested. */
  async #worthHeld({ outcome, price, size }: Pick<OrderDraft, 'outcome' | 'price' | 'size'>): Promise<Usdc> {
    const held = { account: this.account, paper: true, ...WHERE, outcome, strategyId: null } as const;
    const scope = { account: this.account, positions: [held] };
    const position = await look(this.ledger, scope, (now) => now.position(held));
    const free = position === undefined ? 0n : position.shares - position.reserved;
    const worth = (((free * size) / BigInt(LARGEST)) * price) / 1_000_000n;
    return (worth === 0n ? 1n : worth) as Usdc;
  }

  async #cancel(order: Order, kind: 'cancelled' | 'refused' | 'unknown'): Promise<void> {
    this.#exchange.script.cancel = () => (kind === 'cancelled' ? { kind } : { kind, reason: 'as it happens' });
    await this.trader.cancelOrder.execute({ account: this.account, orderId: order.id, idempotencyKey: null });
  }

  async #settleFill(order: Order, command: Extract<Command, { type: 'confirm' | 'void' }>): Promise<void> {
    const fill = order.fills.find((candidate) => candidate.settlement === 'provisional');
    if (fill === undefined) return;
    const { tradeId } = fill;
    if (command.type === 'confirm') {
      await this.trader.book(order, (posting) => posting.record({ type: 'fill_confirmed', tradeId }));
      return;
    }
    if (!(await this.#canUndo(order, fill, command.resting))) return;
    const strategy = order.intent.strategy?.id;
    if (order.intent.side === 'SELL' && strategy !== undefined) {
      this.putBack.set(strategy, (this.putBack.get(strategy) ?? 0n) + fill.basis.strategyCost);
    }
    const { resting } = command;
    await this.trader.book(order, (posting) => {
      posting.record({ type: 'fill_voided', tradeId, resting, reason: 'reverted' });
    });
  }

  /** Shares that were sold on cannot be taken back, and money saved by a better price may be at work elsewhere. */
  async #canUndo(order: Order, fill: Fill, resting: boolean): Promise<boolean> {
    if (order.intent.side === 'SELL') return true;
    const { position } = await this.trader.money(order);
    if (position === undefined || minus(position.shares, position.reserved) < fill.shares) return false;
    const worksAgain = order.state === 'filled' ? resting : order.state === 'open' || order.state === 'cancel_pending';
    return !worksAgain || (fill.price === order.intent.price && fill.price % 1000n === 0n);
  }

  async #choose(command: Exclude<Command, { type: 'place' }>): Promise<Order | undefined> {
    const possible = (await this.orders()).filter((order) => CHOICE[command.type].includes(order.state));
    return possible[command.pick % Math.max(possible.length, 1)];
  }

  #answer(order: Order, { kind, trades, rest }: Answer): OrderStatusReport {
    if (kind === 'rejected') return { kind, refusal: { code: 'venue_says_no', message: 'no' } };
    if (kind === 'unknown') return { kind, reason: 'lost' };
    if (kind === 'absent') return { kind };
    const executions = rest === 'delayed' ? [] : executionsOf(order, trades);
    const done = executions.reduce((sum, { shares }) => sum + shares, 0n) === order.intent.shares;
    return { kind, venueOrderId: `v-${order.id}`, executions, failed: [], rest: done ? 'none' : rest };
  }
}

const CHOICE: Record<Exclude<Command['type'], 'place'>, readonly Order['state'][]> = {
  fill: ['open', 'delayed', 'cancel_pending'],
  confirm: ['open', 'cancel_pending', 'filled', 'cancelled', 'expired'],
  void: ['open', 'cancel_pending', 'filled', 'cancelled', 'expired'],
  expire: ['open', 'delayed', 'cancel_pending'],
  cancel: ['open', 'cancel_pending'],
  look: ['unknown'],
};

/** Executions of what is left of an order, one after another, in whole lots and never worse than its limit. */
function executionsOf(order: Order, trades: readonly Trade[]): Execution[] {
  const { side, price } = order.intent;
  let left = remaining(order);
  return trades.flatMap(({ part, better, fee, confirmed }) => {
    const exact = (left * BigInt(part)) / 100n;
    const shares = (exact - (exact % ONE_LOT)) as Shares;
    if (shares === 0n) return [];
    left = minus(left, shares);
    const shift = BigInt(better) * 1000n;
    const wished = side === 'BUY' ? price - shift : price + shift;
    const at = (wished > 0n && wished < 1_000_000n ? wished : price) as Price;
    const worth = (shares * at) / 1_000_000n;
    return [anExecution({ shares, price: at, confirmed, fee: (side === 'SELL' && fee > worth ? worth : fee) as Usdc })];
  });
}

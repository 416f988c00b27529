import { NoMarketData } from '../../src/adapters/market-data/none.js';
import { PaperExchange } from '../../src/adapters/paper/exchange.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Snapshot } from '../../src/core/ledger/decision.js';
import { scopeOf } from '../../src/core/ledger/scope.js';
import type { OrderDraft } from '../../src/core/order/draft.js';
import type { OrderEvent } from '../../src/core/order/event.js';
import type { Order } from '../../src/core/order/order.js';
import { type OrderContext, Posting } from '../../src/core/posting/posting.js';
import type { Strategy, StrategyDraft } from '../../src/core/strategy/strategy.js';
import { RecoverOrders } from '../../src/core/usecases/orders/background/recover-orders.js';
import { CancelOrder } from '../../src/core/usecases/orders/cancel-order.js';
import { PlaceOrder, type PlaceOrderCommand, type Recorded } from '../../src/core/usecases/orders/place-order.js';
import { ReadOrders } from '../../src/core/usecases/orders/read-orders.js';
import { SubmitOrder } from '../../src/core/usecases/orders/submit-order.js';
import { ArchiveStrategy, ChangeStrategy } from '../../src/core/usecases/strategies/change-strategy.js';
import { CreateStrategy } from '../../src/core/usecases/strategies/create-strategy.js';
import { ReadStrategies } from '../../src/core/usecases/strategies/read-strategies.js';
import type { Exchange } from '../../src/ports/exchange.js';
import type { Ledger } from '../../src/ports/ledger.js';
import type { MarketData } from '../../src/ports/market-data.js';
import { ALICE, aDraft, anOrderContext, anOrderDraft } from './builders.js';

export interface TradingOptions {
  /** Where paper orders go; the paper exchange unless told otherwise. */
  readonly paper?: Exchange;
  readonly live?: Exchange | null;
  readonly markets?: MarketData;
  readonly context?: OrderContext;
}

/** All use cases about strategies and orders, wired by hand on one ledger. */
export class Trading {
  readonly context: OrderContext;
  readonly placeOrder: PlaceOrder;
  readonly submitOrder: SubmitOrder;
  readonly cancelOrder: CancelOrder;
  readonly recoverOrders: RecoverOrders;
  readonly createStrategy: CreateStrategy;
  readonly changeStrategy: ChangeStrategy;
  readonly archiveStrategy: ArchiveStrategy;
  readonly strategies: ReadStrategies;
  readonly orders: ReadOrders;

  constructor(
    readonly ledger: Ledger,
    {
      paper = new PaperExchange(),
      live = null,
      markets = new NoMarketData(),
      context = anOrderContext(),
    }: TradingOptions = {},
  ) {
    const venues = { paper, live };
    this.context = context;
    this.submitOrder = new SubmitOrder(ledger, venues, context);
    this.placeOrder = new PlaceOrder(ledger, markets, venues, this.submitOrder, context);
    this.cancelOrder = new CancelOrder(ledger, venues, context);
    this.recoverOrders = new RecoverOrders(ledger, venues, this.submitOrder, context);
    this.createStrategy = new CreateStrategy(ledger, context.clock, context.ids);
    this.changeStrategy = new ChangeStrategy(ledger, context.clock);
    this.archiveStrategy = new ArchiveStrategy(ledger, context.clock);
    this.strategies = new ReadStrategies(ledger);
    this.orders = new ReadOrders(ledger);
  }

  /** Places an order and tells whether it was a replay. */
  submit(draft: Partial<OrderDraft> = {}, command: Partial<PlaceOrderCommand> = {}): Promise<Recorded<Order>> {
    const whole = { draft: anOrderDraft(draft), mayTradeLive: false, idempotencyKey: null, ...command };
    return this.placeOrder.execute(whole);
  }

  async place(draft: Partial<OrderDraft> = {}, command: Partial<PlaceOrderCommand> = {}): Promise<Order> {
    return (await this.submit(draft, command)).record;
  }

  async strategy(draft: Partial<StrategyDraft> = {}, account: AccountId = ALICE): Promise<Strategy> {
    return (await this.createStrategy.execute({ account, draft: aDraft(draft), idempotencyKey: null })).record;
  }

  /** Takes an order through what its venue tells later: fills, confirmations, voids. */
  async book(order: Order, step: (posting: Posting) => void): Promise<Order> {
    return this.ledger.write(scopeOf(order), (now) => {
      const posting = Posting.resume(now, this.context, now.order(order.id) ?? order);
      step(posting);
      return posting.decision(posting.order);
    });
  }

  async history(order: Order): Promise<readonly OrderEvent[]> {
    return this.ledger.listEvents(order.account, order.id, { limit: 1000 });
  }

  /** The money that an order's next event would find. */
  async money({ account, intent }: Order) {
    const { paper, marketId, token, strategy } = intent;
    const whole = { account, paper, marketId, token, strategyId: null };
    const part = strategy === null ? whole : { ...whole, strategyId: strategy.id };
    const scope = { account, positions: [whole, part], strategies: strategy === null ? [] : [strategy.id] };
    return look(this.ledger, scope, (now) => ({
      balance: now.balance(paper),
      position: now.position(whole),
      strategyPosition: strategy === null ? undefined : now.position(part),
      exposure: strategy === null ? undefined : now.exposure(strategy.id, paper),
    }));
  }
}

export function trading(ledger: Ledger, options: TradingOptions = {}): Trading {
  return new Trading(ledger, options);
}

/** LookupHistory at a snapshot without changing anything. */
export function look<T>(ledger: Ledger, scope: Parameters<Ledger['write']>[0], see: (now: Snapshot) => T): Promise<T> {
  return ledger.write(scope, (now) => ({ result: see(now) }));
}

import { NoMarketData } from '../../src/adapters/market-data/no-market-data.js';
import { PaperExchange } from '../../src/adapters/paper/paper-exchange.js';
import { cashOf } from '../../src/core/account/account.js';
import type { AccountId } from '../../src/core/ids.js';
import type { Snapshot } from '../../src/core/ledger/decision.js';
import { NO_VENUE } from '../../src/core/market/market.js';
import type { OrderEvent } from '../../src/core/order/event.js';
import type { Order } from '../../src/core/order/order.js';
import type { Posting } from '../../src/core/posting/posting.js';
import { takeStep } from '../../src/core/posting/posting.js';
import type { OrderContext } from '../../src/core/posting/trading-stop.js';
import type { Strategy, StrategyDraft } from '../../src/core/strategy/strategy.js';
import { type UseCases, useCases } from '../../src/core/usecases/compose.js';
import type { PlaceOrderCommand, Recorded } from '../../src/core/usecases/orders/place-order.js';
import { FollowedMarkets } from '../../src/core/usecases/strategies/background/watched-markets.js';
import type { UseCasePorts } from '../../src/core/usecases/use-case-ports.js';
import { Venues } from '../../src/core/venues/venues.js';
import type { Exchange } from '../../src/ports/exchange.js';
import type { Ledger } from '../../src/ports/ledger.js';
import type { MarketData } from '../../src/ports/market-data.js';
import type { Redemption } from '../../src/ports/venue.js';
import { ALICE, aDraft, anOrderContext, anOrderDraft, type DraftChanges } from './builders.js';

export interface TradingOptions {
  /** The exchange of paper orders; by default the paper exchange. */
  readonly paper?: Exchange;
  readonly live?: Exchange | null;
  readonly markets?: MarketData;
  readonly context?: OrderContext;
  readonly redemption?: Redemption | null;
  /** Whether results with real money are cash by themselves. */
  readonly settlesInCash?: boolean;
}

/** All use cases on one ledger, and the actions of a test with them. */
export class Trading {
  readonly context: OrderContext;
  readonly ports: UseCasePorts;
  readonly use: UseCases;
  readonly followed: FollowedMarkets;

  constructor(
    readonly ledger: Ledger,
    {
      paper = new PaperExchange(),
      live = null,
      markets,
      context = anOrderContext(),
      redemption = null,
      settlesInCash = false,
    }: TradingOptions = {},
  ) {
    const marketData = markets ?? new NoMarketData(live?.venue ?? NO_VENUE);
    const own = { marketData, live, settlesInCash, redemption };
    const venues = new Venues(paper, [own]);
    this.followed = new FollowedMarkets(venues);
    this.ports = { ...context, ledger, venues, followed: this.followed };
    this.context = this.ports;
    this.use = useCases(this.ports);
  }

  get placeOrder() {
    return this.use.orders.place;
  }

  get submitOrder() {
    return this.use.orders.submit;
  }

  get cancelOrder() {
    return this.use.orders.cancel;
  }

  get recoverOrders() {
    return this.use.orders.recover;
  }

  get orders() {
    return this.use.orders.read;
  }

  get createStrategy() {
    return this.use.strategies.create;
  }

  get changeStrategy() {
    return this.use.strategies.change;
  }

  get archiveStrategy() {
    return this.use.strategies.archive;
  }

  get strategies() {
    return this.use.strategies.read;
  }

  /** Places an order and returns whether it was a replay. */
  submit(draft: DraftChanges = {}, command: Partial<PlaceOrderCommand> = {}): Promise<Recorded<Order>> {
    const whole = { draft: anOrderDraft(draft), mayTradeLive: false, idempotencyKey: null, ...command };
    return this.placeOrder.execute(whole);
  }

  async place(draft: DraftChanges = {}, command: Partial<PlaceOrderCommand> = {}): Promise<Order> {
    return (await this.submit(draft, command)).record;
  }

  async strategy(draft: Partial<StrategyDraft> = {}, account: AccountId = ALICE): Promise<Strategy> {
    return (await this.createStrategy.execute({ account, draft: aDraft(draft), idempotencyKey: null })).record;
  }

  /** Takes an order through its venue's later reports: fills, confirmations, voids. */
  async book(order: Order, step: (posting: Posting) => void): Promise<Order> {
    return takeStep(this.ledger, this.context, order, step);
  }

  async history(order: Order): Promise<readonly OrderEvent[]> {
    return this.ledger.listEvents(order.account, order.id, { limit: 1000 });
  }

  /** The money that an order's next event would find. */
  async money({ account, intent }: Order) {
    const { paper, venue, marketId, outcome, strategy } = intent;
    const whole = { account, paper, venue, marketId, outcome, strategyId: null };
    const part = strategy === null ? whole : { ...whole, strategyId: strategy.id };
    const scope = { account, positions: [whole, part], strategies: strategy === null ? [] : [strategy.id] };
    return look(this.ledger, scope, (now) => ({
      balance: now.balance(cashOf(intent)),
      position: now.position(whole),
      strategyPosition: strategy === null ? undefined : now.position(part),
      exposure: strategy === null ? undefined : now.exposure(strategy.id, paper),
    }));
  }
}

export function trading(ledger: Ledger, options: TradingOptions = {}): Trading {
  return new Trading(ledger, options);
}

/** Reads a snapshot without changing anything. */
export function look<T>(ledger: Ledger, scope: Parameters<Ledger['read']>[0], see: (now: Snapshot) => T): Promise<T> {
  return ledger.read(scope, see);
}

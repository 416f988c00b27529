import { Container, ContainerModule } from 'inversify';
import {
  ApiKeyAuthenticator,
  CombinedAuthenticator,
  DevAuthenticator,
  JwtAuthenticator,
  RandomKeyMaker,
} from '../../adapters/auth/index.js';
import { answeringWithin, nothingToRead } from '../../adapters/market-data/index.js';
import { LeasedExchange, PaperExchange } from '../../adapters/paper/index.js';
import { PolymarketRedemption } from '../../adapters/polymarket/redemption.js';
import { monotonic, sha256, systemClock, uuidV7 } from '../../adapters/system/system.js';
import { RedeemPositions } from '../../core/usecases/accounts/background/redeem-positions.js';
import { SampleEquity } from '../../core/usecases/accounts/background/sample-equity.js';
import { ManageKeys } from '../../core/usecases/accounts/manage-keys.js';
import { ReadPortfolio } from '../../core/usecases/accounts/read-portfolio.js';
import { ResetPaperAccount } from '../../core/usecases/accounts/reset-paper-account.js';
import { SettleMarket } from '../../core/usecases/markets/background/settle-market.js';
import { SettleResults } from '../../core/usecases/markets/background/settle-results.js';
import { ReadMarkets } from '../../core/usecases/markets/read-markets.js';
import { LookAfterOrders } from '../../core/usecases/orders/background/look-after-orders.js';
import { ReconcileOrders } from '../../core/usecases/orders/background/reconcile-orders.js';
import { CancelOrder } from '../../core/usecases/orders/cancel-order.js';
import { PlaceOrder } from '../../core/usecases/orders/place-order.js';
import { ReadOrders } from '../../core/usecases/orders/read-orders.js';
import { SubmitOrder } from '../../core/usecases/orders/submit-order.js';
import { ArchiveStrategy, ChangeStrategy } from '../../core/usecases/strategies/change-strategy.js';
import { CreateStrategy } from '../../core/usecases/strategies/create-strategy.js';
import { ReadStrategies } from '../../core/usecases/strategies/read-strategies.js';
import type { Authenticator } from '../../ports/authenticator.js';
import type { Exchange } from '../../ports/exchange.js';
import type { KeyStore } from '../../ports/key-store.js';
import type { Clock } from '../../ports/system.js';
import type { AuthConfig, Config } from '../settings/config.js';
import type { LiveVenue } from './live-venue.js';
import type { MarketSource } from './market-source.js';
import type { Store } from './store.js';
import {
  AUTHENTICATOR,
  BOOKMARKS,
  CLOCK,
  EXTERNAL_ORDERS,
  IDS,
  JOB_QUEUE,
  KEY_MAKER,
  KEY_STORE,
  KNOWN_SPORTS,
  LEDGER,
  MARKET_DATA,
  ORDER_CONTEXT,
  VENUES,
} from './tokens.js';

/** How long what something is worth waits for one answer of the source; an order waits for as long as the source takes. */
const QUOTE_MS = 2000;

/**
 * Who gets what. Nothing outside this folder knows that there is a container.
 * @param live the venue that moves real money; without one nothing of its API exists.
 */
export function createContainer(
  config: Config,
  store: Pick<Store, 'ledger'>,
  source: MarketSource,
  live: LiveVenue | null = null,
): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(stores(store), system(config, source), edges(config, source), useCases);
  container.load(exchanges(source, live?.exchange ?? null));
  if (live !== null) container.load(liveTrading(live));
  return container;
}

const stores = (store: Pick<Store, 'ledger'>) =>
  new ContainerModule(({ bind }) => {
    bind(LEDGER).toConstantValue(store.ledger);
    bind(KEY_STORE).toConstantValue(store.ledger);
    bind(BOOKMARKS).toConstantValue(store.ledger);
    bind(JOB_QUEUE).toConstantValue(store.ledger);
    bind(EXTERNAL_ORDERS).toConstantValue(store.ledger);
  });

const system = ({ paperBalance }: Config, { timeline }: MarketSource) =>
  new ContainerModule(({ bind }) => {
    // Credentials and idempotency keys live in the machine's time, orders in that of the book they meet.
    bind(CLOCK).toConstantValue(systemClock);
    bind(IDS).toConstantValue(uuidV7);
    bind(ORDER_CONTEXT).toConstantValue({
      clock: timeline,
      wallClock: systemClock,
      ids: uuidV7,
      digest: sha256,
      stopwatch: monotonic,
      openingCash: paperBalance,
    });
  });

const edges = ({ auth }: Config, source: MarketSource) =>
  new ContainerModule(({ bind }) => {
    bind(MARKET_DATA).toConstantValue(source.data);
    bind(KNOWN_SPORTS).toConstantValue(source.sports);
    bind(ReadMarkets).toConstantValue(new ReadMarkets(source.hasBooks ? source.data : nothingToRead));
    bind(LeasedExchange).toConstantValue(new LeasedExchange());
    bind(PaperExchange).toConstantValue(new PaperExchange());
    bind(AUTHENTICATOR).toResolvedValue((...ports) => authenticator(auth, ...ports), [KEY_STORE, CLOCK]);
    if ('pepper' in auth) bind(KEY_MAKER).toConstantValue(new RandomKeyMaker(auth.pepper));
  });

const exchanges = ({ hasBooks }: MarketSource, live: Exchange | null) =>
  new ContainerModule(({ bind }) => {
    const paper = hasBooks ? LeasedExchange : PaperExchange;
    bind(VENUES).toResolvedValue((exchange: Exchange) => ({ paper: exchange, live }), [paper]);
  });

const liveTrading = ({ exchange, wallet, freshShares }: LiveVenue) =>
  new ContainerModule(({ bind }) => {
    bind(LookAfterOrders).toResolvedValue(
      (...ports) => new LookAfterOrders(...ports),
      [LEDGER, JOB_QUEUE, VENUES, SubmitOrder, ORDER_CONTEXT],
    );
    bind(ReconcileOrders).toResolvedValue(
      (ledger, externals, context) => new ReconcileOrders(ledger, externals, exchange, context),
      [LEDGER, EXTERNAL_ORDERS, ORDER_CONTEXT],
    );
    const redemption = new PolymarketRedemption(wallet, freshShares);
    bind(RedeemPositions).toResolvedValue(
      (ledger, markets, context) => new RedeemPositions(ledger, markets, redemption, context),
      [LEDGER, MARKET_DATA, ORDER_CONTEXT],
    );
  });

const useCases = new ContainerModule(({ bind }) => {
  bind(SubmitOrder).toResolvedValue((...ports) => new SubmitOrder(...ports), [LEDGER, VENUES, ORDER_CONTEXT]);
  bind(PlaceOrder).toResolvedValue(
    (...ports) => new PlaceOrder(...ports),
    [LEDGER, MARKET_DATA, VENUES, SubmitOrder, ORDER_CONTEXT],
  );
  bind(CancelOrder).toResolvedValue((...ports) => new CancelOrder(...ports), [LEDGER, VENUES, ORDER_CONTEXT]);
  bind(ResetPaperAccount).toResolvedValue(
    (...ports) => new ResetPaperAccount(...ports),
    [LEDGER, CancelOrder, ORDER_CONTEXT],
  );
  bind(SettleMarket).toResolvedValue((...ports) => new SettleMarket(...ports), [LEDGER, ORDER_CONTEXT]);
  bind(SettleResults).toResolvedValue(
    (ledger, markets, settle, context) => new SettleResults(ledger, markets, settle, context.clock),
    [LEDGER, MARKET_DATA, SettleMarket, ORDER_CONTEXT],
  );
  bind(SampleEquity).toResolvedValue(
    (ledger, markets, context) => new SampleEquity(ledger, answeringWithin(QUOTE_MS, markets), context.clock),
    [LEDGER, MARKET_DATA, ORDER_CONTEXT],
  );
  bind(ReadPortfolio).toResolvedValue(
    (ledger, markets, context) => new ReadPortfolio(ledger, answeringWithin(QUOTE_MS, markets), context),
    [LEDGER, MARKET_DATA, ORDER_CONTEXT],
  );
  bind(ReadOrders).toResolvedValue((...ports) => new ReadOrders(...ports), [LEDGER]);
  bind(CreateStrategy).toResolvedValue((...ports) => new CreateStrategy(...ports), [LEDGER, CLOCK, IDS]);
  bind(ChangeStrategy).toResolvedValue((...ports) => new ChangeStrategy(...ports), [LEDGER, CLOCK]);
  bind(ArchiveStrategy).toResolvedValue((...ports) => new ArchiveStrategy(...ports), [LEDGER, CLOCK]);
  bind(ReadStrategies).toResolvedValue((...ports) => new ReadStrategies(...ports), [LEDGER]);
  bind(ManageKeys).toResolvedValue((...ports) => new ManageKeys(...ports), [LEDGER, KEY_STORE, KEY_MAKER, CLOCK]);
});

function authenticator(auth: AuthConfig, keys: KeyStore, clock: Clock): Authenticator {
  switch (auth.mode) {
    case 'dev':
      return new DevAuthenticator();
    case 'keys':
      return new ApiKeyAuthenticator(keys, auth.pepper, clock);
    case 'jwt':
      return new JwtAuthenticator(auth.trusted, clock);
    case 'keys+jwt':
      return new CombinedAuthenticator(
        new ApiKeyAuthenticator(keys, auth.pepper, clock),
        new JwtAuthenticator(auth.trusted, clock),
      );
  }
}

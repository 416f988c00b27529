import { Container, ContainerModule } from 'inversify';
import {
  ApiKeyAuthenticator,
  CombinedAuthenticator,
  DevAuthenticator,
  JwtAuthenticator,
  RandomKeyMaker,
} from '../adapters/auth/index.js';
import { NoMarketData } from '../adapters/market-data/none.js';
import { PaperExchange } from '../adapters/paper/exchange.js';
import { sha256, systemClock, uuidV7 } from '../adapters/system/system.js';
import { CancelOrder } from '../core/usecases/cancel-order.js';
import { ArchiveStrategy, ChangeStrategy } from '../core/usecases/change-strategy.js';
import { CreateStrategy } from '../core/usecases/create-strategy.js';
import { ManageKeys } from '../core/usecases/manage-keys.js';
import { PlaceOrder } from '../core/usecases/place-order.js';
import { ReadOrders } from '../core/usecases/read-orders.js';
import { ReadStrategies } from '../core/usecases/read-strategies.js';
import { RecoverOrders } from '../core/usecases/recover-orders.js';
import { SubmitOrder } from '../core/usecases/submit-order.js';
import type { Authenticator } from '../ports/authenticator.js';
import type { KeyStore } from '../ports/key-store.js';
import type { Clock } from '../ports/system.js';
import type { AuthConfig, Config } from './config.js';
import type { Store } from './store.js';
import { AUTHENTICATOR, CLOCK, DESK, IDS, KEY_MAKER, KEY_STORE, LEDGER, MARKET_DATA, VENUES } from './tokens.js';

/** Who gets what. Nothing outside this folder knows that there is a container. */
export function createContainer(config: Config, store: Store): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(stores(store), system(config), edges(config), useCases);
  return container;
}

const stores = (store: Store) =>
  new ContainerModule(({ bind }) => {
    bind(LEDGER).toConstantValue(store.ledger);
    bind(KEY_STORE).toConstantValue(store.ledger);
  });

const system = ({ paperBalance }: Config) =>
  new ContainerModule(({ bind }) => {
    bind(CLOCK).toConstantValue(systemClock);
    bind(IDS).toConstantValue(uuidV7);
    bind(DESK).toConstantValue({ clock: systemClock, ids: uuidV7, digest: sha256, openingCash: paperBalance });
  });

const edges = ({ auth }: Config) =>
  new ContainerModule(({ bind }) => {
    bind(MARKET_DATA).toConstantValue(new NoMarketData());
    bind(VENUES).toConstantValue({ paper: new PaperExchange(), live: null });
    bind(AUTHENTICATOR).toResolvedValue((...ports) => authenticator(auth, ...ports), [KEY_STORE, CLOCK]);
    if ('pepper' in auth) bind(KEY_MAKER).toConstantValue(new RandomKeyMaker(auth.pepper));
  });

const useCases = new ContainerModule(({ bind }) => {
  bind(SubmitOrder).toResolvedValue((...ports) => new SubmitOrder(...ports), [LEDGER, VENUES, DESK]);
  bind(PlaceOrder).toResolvedValue(
    (...ports) => new PlaceOrder(...ports),
    [LEDGER, MARKET_DATA, VENUES, SubmitOrder, DESK],
  );
  bind(CancelOrder).toResolvedValue((...ports) => new CancelOrder(...ports), [LEDGER, VENUES, DESK]);
  bind(RecoverOrders).toResolvedValue((...ports) => new RecoverOrders(...ports), [LEDGER, VENUES, SubmitOrder, DESK]);
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

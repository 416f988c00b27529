import 'reflect-metadata';
import { Container, ContainerModule } from 'inversify';
import { RandomKeyMaker, RandomSessionSecrets } from '../../adapters/auth/random-secrets.js';
import { RecentKeys } from '../../adapters/auth/recent-keys.js';
import { RecentSessions } from '../../adapters/auth/recent-sessions.js';
import { answeringWithin } from '../../adapters/market-data/index.js';
import { LeasedExchange, PaperExchange } from '../../adapters/paper/index.js';
import { dayOfZone } from '../../adapters/system/local-time.js';
import { MeasuringThreads } from '../../adapters/system/measuring-threads.js';
import { monotonic, onePerTurn, sha256, systemClock, uuidV7 } from '../../adapters/system/system.js';
import { VERSION } from '../../adapters/system/version.js';
import type { VenueName } from '../../core/ids.js';
import { SignalNews } from '../../core/signal/signal.js';
import { keyUseCases, liveUseCases, serverUseCases, sessionUseCases, useCases } from '../../core/usecases/compose.js';
import { orderParts } from '../../core/usecases/compose-orders.js';
import { Venues, venueFrom } from '../../core/venues/venues.js';
import type { Exchange } from '../../ports/exchange.js';
import type { Venue } from '../../ports/venue.js';
import { type Config, movesMoney } from '../settings/config.js';
import { ConfigInvalid } from '../settings/config-invalid.js';
import { authenticatorsOf } from './authentication.js';
import type { LiveVenue } from './live-venue.js';
import type { MarketSource } from './market-source.js';
import { Precedence } from './precedence.js';
import type { OpenStore } from './store.js';
import {
  AUTHENTICATORS,
  BOOKMARKS,
  CLOCK,
  EXTERNAL_ORDERS,
  JOB_QUEUE,
  KEY_MAKER,
  KEY_STORE,
  KEY_USE_CASES,
  KNOWN_SPORTS,
  LEDGER,
  LIVE_USE_CASES,
  NETS_OUTCOMES,
  ORDER_CONTEXT,
  SERVER_USE_CASES,
  SESSION_STORE,
  SESSION_USE_CASES,
  USE_CASE_PORTS,
  USE_CASES,
  VENUES,
} from './tokens.js';

/** How long a valuation waits for one answer of the source; an order waits as long as the source takes. */
const QUOTE_MS = 2000;

/**
 * The dependency injection container. Nothing outside this folder knows of it.
 * @param others venues beside the first, which is the default one and gives the time.
 */
export function createContainer(
  config: Config,
  store: Pick<OpenStore, 'ledger'>,
  source: MarketSource,
  live: LiveVenue | null = null,
  others: readonly OpenVenue[] = [],
): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  const venues = [{ source, live }, ...others] as const;
  const precedence = new Precedence(store.ledger.leases, { version: VERSION, automates: config.automation });
  container.load(
    stores(store),
    system(config, source, precedence, store.ledger.leases),
    edges(config, venues),
    exchanges(config, venues),
    core,
  );
  return container;
}

/** A venue of a server, open; without `live` no order there can move real money. */
export interface OpenVenue {
  readonly source: MarketSource;
  readonly live: LiveVenue | null;
}

const stores = (store: Pick<OpenStore, 'ledger'>) =>
  new ContainerModule(({ bind }) => {
    bind(LEDGER).toConstantValue(store.ledger);
    bind(KEY_STORE).toConstantValue(new RecentKeys(store.ledger, monotonic));
    bind(SESSION_STORE).toConstantValue(new RecentSessions(store.ledger.sessions, monotonic));
    bind(BOOKMARKS).toConstantValue(store.ledger);
    bind(JOB_QUEUE).toConstantValue(store.ledger);
    bind(EXTERNAL_ORDERS).toConstantValue(store.ledger);
  });

const system = (
  { paperBalance, liveOrderCap, dayZone, alarmAccounts, automatedPerAccount, watchedPerAccount }: Config,
  { timeline }: MarketSource,
  precedence: Precedence,
  leases: OpenStore['ledger']['leases'],
) =>
  new ContainerModule(({ bind }) => {
    // Credentials and idempotency keys use the machine's time, orders the time of the book they meet.
    bind(CLOCK).toConstantValue(systemClock);
    bind(Precedence).toConstantValue(precedence);
    bind(SERVER_USE_CASES).toConstantValue(serverUseCases(leases, precedence.program));
    bind(ORDER_CONTEXT).toConstantValue({
      clock: timeline,
      wallClock: systemClock,
      ids: uuidV7,
      digest: sha256,
      stopwatch: monotonic,
      openingCash: paperBalance,
      liveOrderCap,
      automatedPerAccount,
      watchedPerAccount,
      dayOf: dayOfZone(dayZone),
      dayZone,
      measuring: new MeasuringThreads(),
      alarmReaders: alarmAccounts,
      outdated: () => precedence.outdated,
    });
  });

const edges = ({ auth, ui, ...config }: Config, venues: readonly OpenVenue[]) =>
  new ContainerModule(({ bind }) => {
    const mayRiskMoney = ui?.mayTrade === true || !movesMoney(config);
    bind(KNOWN_SPORTS).toConstantValue(() => sportsOf(venues));
    bind(NETS_OUTCOMES).toConstantValue(() => venues.some(({ source }) => source.nets?.() ?? false));
    bind(LeasedExchange).toConstantValue(new LeasedExchange());
    bind(PaperExchange).toConstantValue(new PaperExchange());
    bind(AUTHENTICATORS).toResolvedValue(
      (keys, sessions, clock) => authenticatorsOf(auth, { keys, sessions, clock, mayRiskMoney }),
      [KEY_STORE, SESSION_STORE, CLOCK],
    );
    if (!('pepper' in auth)) return;
    const { pepper } = auth;
    bind(KEY_MAKER).toConstantValue(new RandomKeyMaker(pepper));
    bind(SESSION_USE_CASES).toResolvedValue(
      (keys, sessions, clock) => sessionUseCases({ keys, sessions, secrets: new RandomSessionSecrets(pepper), clock }),
      [KEY_STORE, SESSION_STORE, CLOCK],
    );
  });

const exchanges = ({ defaultVenue }: Config, venues: readonly [OpenVenue, ...OpenVenue[]]) =>
  new ContainerModule(({ bind }) => {
    const [first, ...others] = defaultFirst(venues, defaultVenue);
    const hasBooks = venues.some(({ source }) => source.hasBooks);
    bind(VENUES).toResolvedValue(
      (paper: Exchange) => new Venues(paper, [tradedAt(first), ...others.map(tradedAt)]),
      [hasBooks ? LeasedExchange : PaperExchange],
    );
    bind(LIVE_USE_CASES).toResolvedValue(
      (ports, jobs, externals) => (exchange) => liveUseCases(ports, { exchange, jobs, externals }),
      [USE_CASE_PORTS, JOB_QUEUE, EXTERNAL_ORDERS],
    );
  });

/** @throws ConfigInvalid when none has the name of the default one */
function defaultFirst(
  venues: readonly [OpenVenue, ...OpenVenue[]],
  name: VenueName | null,
): readonly [OpenVenue, ...OpenVenue[]] {
  const names = venues.map(({ source }) => source.data.venue);
  const chosen = name === null ? venues[0] : venues.find(({ source }) => source.data.venue === name);
  if (chosen !== undefined) return [chosen, ...venues.filter((venue) => venue !== chosen)];
  throw new ConfigInvalid([{ variable: 'DEFAULT_VENUE', problem: `must be one of ${names.join(', ')}; got ${name}` }]);
}

const tradedAt = ({ source, live }: OpenVenue): Venue => venueFrom(source.data, live);

/** The sports of all venues; null where one of them does not know its own. */
function sportsOf(venues: readonly OpenVenue[]): readonly string[] | null {
  const known = venues.map(({ source }) => source.sports());
  return known.some((sports) => sports === null) ? null : [...new Set(known.flatMap((sports) => sports ?? []))];
}

const core = new ContainerModule(({ bind }) => {
  bind(USE_CASE_PORTS).toResolvedValue(
    (ledger, venues, context) => {
      const quotes = answeringWithin(QUOTE_MS, venues);
      const ports = { ...context, ledger, venues, quotes, pause: onePerTurn() };
      const { marks, placement, followed } = orderParts(ports);
      return { ...ports, marks, placement, followed, signalNews: new SignalNews() };
    },
    [LEDGER, VENUES, ORDER_CONTEXT],
  );
  bind(USE_CASES).toResolvedValue(useCases, [USE_CASE_PORTS]);
  bind(KEY_USE_CASES).toResolvedValue(
    (ports, keys, keyMaker) => keyUseCases(ports, { keys, keyMaker }),
    [USE_CASE_PORTS, KEY_STORE, KEY_MAKER],
  );
});

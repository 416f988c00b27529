import type { VenueName } from '../../core/ids.js';
import type { Usdc } from '../../core/money.js';
import type { Order } from '../../core/order/order.js';
import { VenueUnusable } from '../../core/venues/venues.js';
import type {
  Check,
  ConnectParts,
  ProbeAnswer,
  VenueConnection,
  VenueExamination,
  VenueWallet,
} from '../../ports/venue-adapter.js';
import { ok } from '../../settings/check.js';
import { examineKalshi } from './doctor.js';
import { connectKalshi } from './execution/connect.js';
import { isOfEnvironment } from './execution/envelope.js';
import { ApiKeyFile } from './http/api-key.js';
import { probeKalshi } from './probe.js';
import type { KalshiSettings } from './settings.js';
import { kalshiVenue } from './venue-name.js';

/** Orders with real money stay off until the venue has answered what nobody knows yet. A change of this code opens them, and no setting. */
const PRODUCTION_CLOSED =
  'Kalshi takes no orders with real money from this version: src/adapters/kalshi/README.md lists what the venue has to answer first. Use KALSHI_ENV=demo for play money, or LIVE_TRADING=off for paper.';

/** The account of an API key at Kalshi: there is no wallet, and a result pays cash. */
export class KalshiWallet implements VenueWallet {
  readonly chosenBy = 'KALSHI_KEY_ID';

  private constructor(
    private readonly settings: KalshiSettings,
    private readonly key: ApiKeyFile,
    private readonly orderCap: Usdc,
  ) {}

  /** Opens the key. @throws VenueUnusable when it cannot be used, and always in production */
  static async open(settings: KalshiSettings, orderCap: Usdc): Promise<KalshiWallet> {
    if (settings.environment !== 'demo') throw new VenueUnusable('production_closed', PRODUCTION_CLOSED, false);
    return new KalshiWallet(settings, await ApiKeyFile.open(settings.keyId, settings.keyFile), orderCap);
  }

  get venue(): VenueName {
    return kalshiVenue(this.settings.environment);
  }

  /** The id of the key; not a secret. */
  get keyAddress(): string {
    return this.key.keyId;
  }

  get address(): string {
    return this.key.keyId;
  }

  get checks(): readonly Check[] {
    return [ok(`The key ${this.key.keyId} can be read.`), ok('The money is play money of the demo.')];
  }

  isOwn(order: Order): boolean {
    return isOfEnvironment(order, this.settings.environment);
  }

  examine(): Promise<VenueExamination> {
    return examineKalshi(this.settings, this.key);
  }

  probe(): AsyncIterable<ProbeAnswer> {
    return probeKalshi(this.settings, this.key);
  }

  connect(parts: ConnectParts): Promise<VenueConnection> {
    const { api, socket, environment } = this.settings;
    return connectKalshi({ ...parts, api, socket, environment, signer: this.key, orderCap: this.orderCap });
  }
}

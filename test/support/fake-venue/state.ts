import { randomUUID } from 'node:crypto';
import { type ApiKey, ApiKeys } from './auth.js';
import { Engine } from './engine.js';
import type { HOURS } from './faults.js';
import type { OrderContext } from './intake.js';
import type { VenueLog } from './log.js';
import type { Market } from './markets.js';
import { REFUSALS } from './refusals.js';
import { type Hex, type Json, micro } from './wire.js';

/** The venue's answers to reads where its habits are uncertain; a test may change them at any time. */
export interface Reads {
  /** Whether `/data/order/{id}` still finds ended orders; the real venue's lookup does not. */
  remembersEnded: boolean;
  /** The answer for an order that is not found. */
  missing: 'null' | '404';
  /** Whether `/data/orders?id=` finds ended orders. */
  listsEndedById: boolean;
  /** Rows of a page. */
  pageSize: number;
}

/** The answer of `/api/geoblock`. */
export interface Geoblock {
  blocked: boolean;
  ip: string;
  country: string;
  region: string;
}

/** The whole state of the venue. */
export class VenueState implements OrderContext {
  readonly keys: ApiKeys;
  readonly engine: Engine;
  readonly markets = new Map<string, Market>();
  readonly reads: Reads = { remembersEnded: false, missing: 'null', listsEndedById: false, pageSize: 100 };
  readonly geoblock: Geoblock = { blocked: false, ip: '192.0.2.1', country: 'IE', region: 'L' };
  /** The answer of `GET /version`; orders of another version are refused. */
  version = 2;
  hours: 'normal' | keyof typeof HOURS = 'normal';
  readonly #wallets = new Map<string, { readonly owner: string; readonly type: number }>();
  readonly #heartbeats = new Map<string, string>();

  constructor(
    readonly chainId: number,
    readonly now: () => number,
    readonly log: VenueLog,
  ) {
    this.keys = new ApiKeys(chainId, now);
    this.engine = new Engine(now, log);
  }

  market(token: string): Market | undefined {
    return [...this.markets.values()].find(({ terms }) => terms.tokens.includes(token));
  }

  refused(hash: Hex): void {
    this.log.count(hash, 'refused');
  }

  ownerOf(wallet: string): string | undefined {
    return this.#wallets.get(wallet.toLowerCase())?.owner;
  }

  /** The wallet of an API key by signature type: its own address for type 0. */
  walletOf({ address }: ApiKey, type: number): string {
    const own = [...this.#wallets].find(([, wallet]) => wallet.owner === address && wallet.type === type);
    return type === 0 || own === undefined ? address : own[0];
  }

  addWallet(wallet: string, owner: string, type: 1 | 2 | 3): void {
    this.#wallets.set(wallet.toLowerCase(), { owner: owner.toLowerCase(), type });
  }

  balance(key: ApiKey, query: URLSearchParams): Json {
    const account = this.engine.accounts.of(this.walletOf(key, Number(query.get('signature_type') ?? 0)));
    const asset = query.get('asset_type') === 'CONDITIONAL' ? (query.get('token_id') ?? '') : 'COLLATERAL';
    const allowances = [...account.allowances].map(([spender, amount]) => [spender, `${amount}`]);
    return { balance: `${account.balanceOf(asset)}`, allowances: Object.fromEntries(allowances) };
  }

  /** The next id of this key's heartbeat; refused with the one that was expected. */
  beat({ apiKey }: ApiKey, id: unknown): Json {
    const expected = this.#heartbeats.get(apiKey) ?? '';
    if (id !== expected && expected !== '') {
      throw Object.assign(REFUSALS.payload(), { more: { heartbeat_id: expected } });
    }
    const next = randomUUID();
    this.#heartbeats.set(apiKey, next);
    return { heartbeat_id: next };
  }

  /** The heartbeat of this key has stopped: all its orders are cancelled. */
  lapse({ apiKey }: ApiKey): void {
    this.#heartbeats.delete(apiKey);
    this.engine.wipe(
      this.engine.open.filter(({ owner }) => owner === apiKey),
      'CANCELED',
    );
  }

  /** The game begins: resting orders are cancelled with the status that the venue was seen to use, `INVALID`. */
  startGame(market: Market): void {
    this.engine.wipe(this.#open(market), 'INVALID');
    market.delaying = market.terms.delaySeconds > 0;
  }

  /** Changes the tick; orders that do not fit it are cancelled. */
  changeTick(market: Market, tick: string): void {
    market.tick = micro(tick);
    this.engine.wipe(
      this.#open(market).filter(({ price }) => price % market.tick !== 0n),
      'INVALID',
    );
  }

  /** The market is over: this token pays 1, or both one half. */
  resolve(market: Market, result: string | 'void'): void {
    Object.assign(market, { result, closed: true, accepting: false });
    this.engine.wipe(this.#open(market), 'CANCELED_MARKET_RESOLVED');
  }

  #open(market: Market) {
    return this.engine.open.filter((order) => order.market === market);
  }
}

import { createHmac } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import type { ApiKey } from './auth.js';
import { orderHash, typedData } from './signature.js';
import type { FakeVenue } from './venue.js';
import { costOf, type Hex, micro, type OrderType, type Side } from './wire.js';

/** The first key of every development chain, publicly known. */
export const KNOWN_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

const NOTHING: Hex = `0x${'0'.repeat(64)}`;

/** An order to place; by default a plain buy of 10 at 0.50 that rests. */
export interface Wish {
  readonly token?: string;
  readonly side?: Side;
  readonly price?: string;
  readonly size?: string;
  readonly type?: OrderType;
  readonly postOnly?: boolean;
  /** Unix seconds. */
  readonly expiration?: number;
  readonly makerAmount?: bigint;
  readonly takerAmount?: bigint;
}

/** A signed order, ready to be sent any number of times. */
export interface SignedWish {
  readonly hash: Hex;
  readonly body: string;
}

/** A minimal client of the venue, without retries, for wallets of type 0: tests look at the raw answers. */
export class PlainClient {
  readonly account: ReturnType<typeof privateKeyToAccount>;
  readonly key: ApiKey;
  #salt = 1n;

  constructor(
    readonly venue: FakeVenue,
    privateKey: Hex = KNOWN_KEY,
  ) {
    this.account = privateKeyToAccount(privateKey);
    this.key = venue.keyFor(this.account.address);
  }

  async sign(wish: Wish = {}): Promise<SignedWish> {
    const { venue } = this;
    const { price = '0.5', size = '10', side = 'BUY', type = 'GTC', postOnly = false, expiration = 0 } = wish;
    const token = wish.token ?? venue.market().terms.tokens[0];
    const [shares, dollars] = [micro(size), costOf(micro(size), micro(price))];
    this.#salt += 1n;
    const { address } = this.account;
    const message = {
      salt: this.#salt,
      maker: address,
      signer: address,
      tokenId: BigInt(token),
      makerAmount: wish.makerAmount ?? (side === 'BUY' ? dollars : shares),
      takerAmount: wish.takerAmount ?? (side === 'BUY' ? shares : dollars),
      side: side === 'BUY' ? 0 : 1,
      signatureType: 0,
      timestamp: BigInt(venue.state.now()),
      metadata: NOTHING,
      builder: NOTHING,
    };
    const contract = { chainId: venue.state.chainId, negRisk: venue.state.market(token)?.terms.negRisk ?? false };
    const signature = await this.account.signTypedData(typedData(message, contract));
    const order = {
      salt: Number(message.salt),
      maker: address,
      signer: address,
      tokenId: token,
      makerAmount: `${message.makerAmount}`,
      takerAmount: `${message.takerAmount}`,
      side,
      signatureType: 0,
      timestamp: `${message.timestamp}`,
      expiration: `${expiration}`,
      metadata: NOTHING,
      builder: NOTHING,
      signature,
    };
    const body = JSON.stringify({ deferExec: false, postOnly, order, owner: this.key.apiKey, orderType: type });
    return { hash: orderHash(message, contract), body };
  }

  /** Sends these bytes. Redirects are not followed. */
  post({ body }: Pick<SignedWish, 'body'>, init: RequestInit = {}): Promise<Response> {
    return this.send('POST', '/order', body, init);
  }

  /** Signs the order, sends it and returns the JSON of the answer. */
  async order(wish: Wish = {}): Promise<{ readonly hash: Hex; readonly status: number; readonly answer: Answered }> {
    const signed = await this.sign(wish);
    const response = await this.post(signed);
    return { hash: signed.hash, status: response.status, answer: (await response.json()) as Answered };
  }

  async get<T>(path: string): Promise<T> {
    return (await (await this.send('GET', path)).json()) as T;
  }

  async delete<T>(path: string, body?: unknown): Promise<T> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return (await (await this.send('DELETE', path, text)).json()) as T;
  }

  send(method: string, path: string, body?: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.venue.clob);
    const headers = { 'content-type': 'application/json', ...this.headers(method, url.pathname, body) };
    return fetch(url, { method, headers, redirect: 'manual', ...(body === undefined ? {} : { body }), ...init });
  }

  headers(method: string, path: string, body = ''): Record<string, string> {
    const timestamp = `${Math.floor(this.venue.state.now() / 1000)}`;
    const { apiKey, secret, passphrase } = this.key;
    const hmac = createHmac('sha256', Buffer.from(secret, 'base64url')).update(`${timestamp}${method}${path}${body}`);
    return {
      POLY_ADDRESS: this.account.address,
      POLY_SIGNATURE: hmac.digest('base64').replaceAll('+', '-').replaceAll('/', '_'),
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: apiKey,
      POLY_PASSPHRASE: passphrase,
    };
  }
}

/** What `POST /order` answers, well or badly. */
export interface Answered {
  readonly success?: boolean;
  readonly error?: string;
  readonly errorMsg?: string;
  readonly orderID?: string;
  readonly status?: string;
  readonly makingAmount?: string;
  readonly takingAmount?: string;
  readonly transactionsHashes?: readonly string[];
  readonly tradeIDs?: readonly string[];
}

import type { Json } from './wire.js';

/** A refusal, with the words of the venue. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly more: Json = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }

  get body(): Json {
    return { error: this.message, ...this.more };
  }
}

const no = (message: string) => new Refused(400, message);

export const FOK_KILLED = "order couldn't be fully filled. FOK orders are fully filled or killed.";
export const FAK_KILLED =
  'no orders found to match with FAK order. FAK orders are partially filled or killed if no match is found.';

/** The texts of `polymarket.md` 2.4; those of `invalidSignature` and `lot` are not recorded there. */
export const REFUSALS = {
  key: () => new Refused(401, 'Unauthorized/Invalid api key'),
  login: () => new Refused(401, 'Invalid L1 Request headers'),
  payload: () => no('Invalid order payload'),
  version: () => no('order_version_mismatch'),
  owner: () => no('the order owner has to be the owner of the API KEY'),
  signer: () => no('the order signer address has to be the address of the API KEY'),
  maker: () => no('maker address not allowed, please use the deposit wallet flow'),
  invalidSignature: () => no('invalid signature'),
  banned: (address: string) => no(`'${address}' address banned`),
  closedOnly: (address: string) => no(`'${address}' address in closed only mode`),
  balance: (balance: bigint, wanted: bigint) =>
    no(`not enough balance / allowance: the balance is not enough -> balance: ${balance}, order amount: ${wanted}`),
  allowance: (allowed: bigint, wanted: bigint) =>
    no(`not enough balance / allowance: the allowance is not enough -> allowance: ${allowed}, order amount: ${wanted}`),
  tick: (id: string, price: string, tick: string) =>
    no(`order ${id} is invalid. Price (${price}) breaks minimum tick size rule: ${tick}`),
  size: (id: string, size: string, least: string) =>
    no(`order ${id} is invalid. Size (${size}) lower than the minimum: ${least}`),
  lot: (id: string, size: string) => no(`order ${id} is invalid. Size (${size}) breaks maximum lot size rule: 0.01`),
  notional: (dollars: string) => no(`invalid amount for a marketable BUY order ($${dollars}), min size: $1`),
  precision: (side: 'buy' | 'sell') =>
    no(
      `invalid amounts, the market ${side} orders maker amount supports a max accuracy of 2 decimals, taker amount a max of 4 decimals`,
    ),
  duplicated: (id: string) => no(`order ${id} is invalid. Duplicated.`),
  crossing: () => no('invalid post-only order: order crosses book'),
  expiration: () => no('invalid expiration'),
  fokKilled: () => no(FOK_KILLED),
  fakKilled: () => no(FAK_KILLED),
  notReady: () => no('the market is not yet ready to process new orders'),
  tooMany: (count: number, most: number) => no(`Too many orders in payload: ${count}, max allowed: ${most}`),
  noBook: () => new Refused(404, 'No orderbook exists for the requested token id'),
  noMarket: () => new Refused(404, 'market not found'),
  noOrder: () => new Refused(404, 'Order not found'),
  region: () =>
    new Refused(
      403,
      'Trading restricted in your region, please refer to available regions - https://docs.polymarket.com/developers/CLOB/geoblock',
    ),
  restarting: () => new Refused(425, 'Too Early'),
  disabled: () => new Refused(503, 'Trading is currently disabled. Check polymarket.com for updates'),
  cancelOnly: () =>
    new Refused(503, 'Trading is currently cancel-only. New orders are not accepted, but cancels are allowed.'),
  postOnlyMode: () =>
    new Refused(
      503,
      'post-only mode: only post-only orders and cancels are allowed',
      { code: 'post_only_mode', retry_after_seconds: 79 },
      { 'retry-after': '79' },
    ),
} as const;

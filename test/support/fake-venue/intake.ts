import type { ApiKey } from './auth.js';
import type { Market } from './markets.js';
import type { VenueOrder } from './orders.js';
import { isImmediate } from './orders.js';
import { REFUSALS } from './refusals.js';
import { type OrderMessage, orderHash, signerOf } from './signature.js';
import { type Hex, type Json, ONE, type OrderType } from './wire.js';

/** What the venue must know to check the sender of an order. */
export interface OrderContext {
  readonly chainId: number;
  readonly version: number;
  market(token: string): Market | undefined;
  /** The key, in lower case, that may sign for this wallet. */
  ownerOf(wallet: string): string | undefined;
  now(): number;
  /** Called with every refused order whose hash was known. */
  refused(hash: Hex): void;
}

const isText = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const isAddress = isText(/^0x[0-9a-f]{40}$/i);
const isWord = isText(/^0x[0-9a-f]{64}$/i);
const isInteger = isText(/^\d{1,78}$/);
const FIELDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  salt: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  maker: isAddress,
  signer: isAddress,
  tokenId: isInteger,
  makerAmount: isInteger,
  takerAmount: isInteger,
  side: isText(/^(BUY|SELL)$/),
  signatureType: (value) => [0, 1, 2, 3].includes(value as number),
  timestamp: isInteger,
  expiration: isInteger,
  metadata: isWord,
  builder: isWord,
  signature: isText(/^0x([0-9a-f]{2})+$/i),
};

/** The order of a send-order object, once everything that needs no book is proven; refused in the words of the venue. */
export async function readOrder(payload: unknown, key: ApiKey, context: OrderContext): Promise<VenueOrder> {
  const sent = isObject(payload) ? payload : {};
  const order = sent['order'];
  if (!isObject(order)) throw REFUSALS.payload();
  if (context.version !== 2 || order['nonce'] !== undefined) throw REFUSALS.version();
  const type = sent['orderType'] as OrderType;
  const known = Object.entries(FIELDS).every(([name, fits]) => fits(order[name]));
  const flags = ['postOnly', 'deferExec'].every((flag) => ['boolean', 'undefined'].includes(typeof sent[flag]));
  if (!known || !flags || !['GTC', 'GTD', 'FOK', 'FAK'].includes(type)) throw REFUSALS.payload();
  const message = messageOf(order);
  const market = context.market(String(order['tokenId']));
  if (market === undefined) throw REFUSALS.noBook();
  const hash = orderHash(message, { chainId: context.chainId, negRisk: market.terms.negRisk });
  try {
    if (sent['owner'] !== key.apiKey) throw REFUSALS.owner();
    await provesItsSigner(message, String(order['signature']) as Hex, key, market, context);
    return {
      ...amountsOf(message, market, type, hash),
      hash,
      owner: key.apiKey,
      maker: message.maker.toLowerCase(),
      market,
      token: String(order['tokenId']),
      type,
      postOnly: sent['postOnly'] === true,
      expiration: Number(order['expiration']),
      createdAt: context.now(),
      matched: 0n,
      status: 'LIVE',
      trades: [],
    };
  } catch (error) {
    context.refused(hash);
    throw error;
  }
}

function amountsOf(
  { side, makerAmount, takerAmount }: OrderMessage,
  { tick }: Market,
  type: OrderType,
  hash: Hex,
): Pick<VenueOrder, 'side' | 'size' | 'dollars' | 'price'> {
  if (makerAmount === 0n || takerAmount === 0n) throw REFUSALS.payload();
  const [size, dollars] = side === 0 ? [takerAmount, makerAmount] : [makerAmount, takerAmount];
  return { side: side === 0 ? 'BUY' : 'SELL', size, dollars, price: signedPrice(size, dollars, tick, type, hash) };
}

async function provesItsSigner(
  message: OrderMessage,
  signature: Hex,
  key: ApiKey,
  market: Market,
  context: OrderContext,
): Promise<void> {
  const [maker, signer] = [message.maker.toLowerCase(), message.signer.toLowerCase()];
  const { signatureType } = message;
  if (signatureType === 3) {
    if (context.ownerOf(maker) !== key.address || signer !== maker) throw REFUSALS.signer();
  } else {
    if (signer !== key.address) throw REFUSALS.signer();
    if (signatureType === 0 ? maker !== signer : context.ownerOf(maker) !== signer) throw REFUSALS.maker();
  }
  const contract = { chainId: context.chainId, negRisk: market.terms.negRisk };
  if ((await signerOf(message, contract, signature)) !== key.address) throw REFUSALS.invalidSignature();
}

/**
 * The price is dollars by shares and must be on the grid: exactly, or for FOK and FAK as near as rounding the share side
 * to a thousandth explains.
 */
function signedPrice(size: bigint, dollars: bigint, tick: bigint, type: OrderType, hash: Hex): bigint {
  const nearest = ((dollars * ONE + (size * tick) / 2n) / (size * tick)) * tick;
  const off = dollars * ONE - size * nearest;
  const slack = isImmediate({ type }) ? 1000n * nearest : 0n;
  const fits = off <= slack && -off <= slack;
  if (!fits || nearest < tick || nearest > ONE - tick) {
    throw REFUSALS.tick(hash, `${Number(dollars) / Number(size)}`, `${Number(tick) / Number(ONE)}`);
  }
  return nearest;
}

function messageOf(order: Json): OrderMessage {
  const number = (name: string) => BigInt(order[name] as string | number);
  const hex = (name: string) => String(order[name]) as Hex;
  return {
    salt: number('salt'),
    maker: hex('maker'),
    signer: hex('signer'),
    tokenId: number('tokenId'),
    makerAmount: number('makerAmount'),
    takerAmount: number('takerAmount'),
    side: order['side'] === 'BUY' ? 0 : 1,
    signatureType: Number(order['signatureType']),
    timestamp: number('timestamp'),
    metadata: hex('metadata'),
    builder: hex('builder'),
  };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

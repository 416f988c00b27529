import * as v from 'valibot';
import type { Order } from '../../../core/order/order.js';
import { orderHash } from '../signing/order-hash.js';
import type { Hex, OrderDomain, OrderStruct } from '../signing/signer.js';

/** All that is signed or sent of an order except its signature and the API key. */
export interface UnsignedOrder {
  readonly struct: OrderStruct;
  readonly domain: OrderDomain;
  readonly conditionId: string;
  readonly orderType: 'GTC' | 'GTD' | 'FOK' | 'FAK';
  /** The expiration as sent to the venue, in seconds: 60 after the one at which it ends the order; 0 for none. */
  readonly expiration: number;
  readonly postOnly: boolean;
}

/** One of our unsigned orders, to be looked up at the venue. */
export interface OwnUnsigned extends UnsignedOrder {
  /** Its id at the venue. */
  readonly hash: Hex;
  readonly sendBy: Date;
}

const VERSION = 1;
const hex = (bytes: number) =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(`^0x[0-9a-fA-F]{${2 * bytes}}$`)),
    v.transform((text) => text as Hex),
  );
const whole = v.pipe(
  v.string(),
  v.regex(/^\d{1,78}$/),
  v.transform((digits) => BigInt(digits)),
);

const content = v.object({
  version: v.literal(VERSION),
  chainId: v.number(),
  negRisk: v.boolean(),
  conditionId: v.string(),
  orderType: v.picklist(['GTC', 'GTD', 'FOK', 'FAK']),
  expiration: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  postOnly: v.boolean(),
  struct: v.object({
    salt: whole,
    maker: hex(20),
    signer: hex(20),
    tokenId: whole,
    makerAmount: whole,
    takerAmount: whole,
    side: v.picklist([0, 1]),
    signatureType: v.picklist([0, 1, 2, 3]),
    timestamp: whole,
    metadata: hex(32),
    builder: hex(32),
  }),
});

/** The order as text, always the same for the same order: numbers of the chain as digits, members in a fixed order. */
export function unsignedText({ struct, domain, conditionId, orderType, expiration, postOnly }: UnsignedOrder): string {
  const { salt, maker, signer, tokenId, makerAmount, takerAmount, side, signatureType, timestamp } = struct;
  const { metadata, builder } = struct;
  return JSON.stringify({
    version: VERSION,
    chainId: domain.chainId,
    negRisk: domain.negRisk,
    conditionId,
    orderType,
    expiration,
    postOnly,
    struct: {
      salt: `${salt}`,
      maker,
      signer,
      tokenId: `${tokenId}`,
      makerAmount: `${makerAmount}`,
      takerAmount: `${takerAmount}`,
      side,
      signatureType,
      timestamp: `${timestamp}`,
      metadata,
      builder,
    },
  });
}

/** The contents of an order's envelope, with the order id that they give; null when there is none that can be read. */
export function unsignedIn({ intent: { envelope } }: Pick<Order, 'intent'>): OwnUnsigned | null {
  if (envelope === null) return null;
  try {
    const { chainId, negRisk, struct, conditionId, orderType, expiration, postOnly } = v.parse(
      content,
      JSON.parse(envelope.content),
    );
    const domain = { chainId, negRisk };
    const hash = orderHash(struct, domain);
    return { struct, domain, conditionId, orderType, expiration, postOnly, hash, sendBy: envelope.sendBy };
  } catch {
    return null;
  }
}

/** FOK and FAK: fills immediately, and never rests. */
export const neverRests = ({ orderType }: Pick<UnsignedOrder, 'orderType'>): boolean =>
  orderType === 'FOK' || orderType === 'FAK';

/** The signed shares: the most that a sale gives, or what a purchase gets at its limit. */
export const unsignedShares = ({ struct }: Pick<UnsignedOrder, 'struct'>): bigint =>
  struct.side === 0 ? struct.takerAmount : struct.makerAmount;

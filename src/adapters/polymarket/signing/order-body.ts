import type { Hex, OrderStruct } from './signer.js';

/** What is sent with an order and is not signed. */
export interface SignedOrderTerms {
  /** The API key that the order belongs to. */
  readonly owner: string;
  readonly orderType: 'GTC' | 'GTD' | 'FOK' | 'FAK';
  /** In seconds; 0 for none, the only value for all types but GTD. */
  readonly expiration: number;
  readonly postOnly: boolean;
  readonly deferExec: boolean;
}

/** The bytes of `POST /order`, with the members in the order of the official client (`polymarket.md` 3.6). */
export function orderBody(order: OrderStruct, signature: Hex, terms: SignedOrderTerms): string {
  return JSON.stringify({
    deferExec: terms.deferExec,
    postOnly: terms.postOnly,
    order: {
      salt: exactNumber(order.salt),
      maker: order.maker,
      signer: order.signer,
      tokenId: `${order.tokenId}`,
      makerAmount: `${order.makerAmount}`,
      takerAmount: `${order.takerAmount}`,
      side: order.side === 0 ? 'BUY' : 'SELL',
      signatureType: order.signatureType,
      timestamp: `${order.timestamp}`,
      expiration: `${terms.expiration}`,
      metadata: order.metadata,
      builder: order.builder,
      signature,
    },
    owner: terms.owner,
    orderType: terms.orderType,
  });
}

/** The venue reads the salt from a JSON number: a salt that such a number cannot hold would change the order's hash. */
function exactNumber(salt: bigint): number {
  if (salt < 0n || salt > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('an order salt must be below 2^53');
  return Number(salt);
}

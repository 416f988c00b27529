/** Bytes in hexadecimal, after `0x`; in either case. */
export type Hex = `0x${string}`;

/** The struct that is signed for an order (`polymarket.md` 4.1). Amounts are in 10⁻⁶, the timestamp in milliseconds. */
export interface OrderStruct {
  /** Below 2⁵³, because the venue takes it as a JSON number. */
  readonly salt: bigint;
  /** The wallet that pays. */
  readonly maker: Hex;
  readonly signer: Hex;
  readonly tokenId: bigint;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  /** 0 buys, 1 sells. */
  readonly side: 0 | 1;
  /** The type of wallet: 0 a plain key, 1 a proxy, 2 a Safe, 3 a deposit wallet. */
  readonly signatureType: 0 | 1 | 2 | 3;
  readonly timestamp: bigint;
  readonly metadata: Hex;
  readonly builder: Hex;
}

/** The contract that the signature is for. */
export interface OrderDomain {
  readonly chainId: number;
  readonly negRisk: boolean;
}

/** Holds a key and signs only what it has checked itself; it never signs a bare digest. */
export interface Signer {
  /** The address of the key, with its EIP-55 checksum. */
  address(): Promise<Hex>;
  /** @throws SigningRefused for a chain, wallet or contract that it does not serve, or above its cap */
  signOrder(order: OrderStruct, domain: OrderDomain): Promise<Hex>;
  /**
   * Proves to the venue who requests API credentials (`polymarket.md` 4.2).
   * @throws SigningRefused for another chain
   */
  signLogin(login: { readonly chainId: number; readonly timestamp: number; readonly nonce: number }): Promise<Hex>;
}

/**
 * Polymarket: its markets and books, its exchange for real money, and what holds the key that signs orders, none above a cap.
 *
 * @packageDocumentation
 *
 * @example
 * ```ts
 * import { createStakeport } from 'stakeport';
 * import { systemClock } from 'stakeport/memory';
 * import { PolymarketMarketData } from 'stakeport/polymarket';
 *
 * const hosts = {
 *   gamma: new URL('https://gamma-api.polymarket.com'),
 *   clob: new URL('https://clob.polymarket.com'),
 *   stream: new URL('wss://ws-subscriptions-clob.polymarket.com'),
 * };
 * const stakeport = createStakeport({ marketData: new PolymarketMarketData({ ...hosts, clock: systemClock }) });
 * ```
 *
 * @example
 * ```ts
 * import { archivedMarket } from 'stakeport/polymarket';
 *
 * const answer = await fetch('https://gamma-api.polymarket.com/markets?closed=true&limit=1');
 * for (const record of (await answer.json()) as unknown[]) {
 *   const { market, closedAt } = archivedMarket(record);
 *   console.log(market.question, closedAt);
 * }
 * ```
 *
 * @example
 * ```ts
 * import { usdc } from 'stakeport';
 * import { KeyFileSigner } from 'stakeport/polymarket';
 *
 * const terms = { chainId: 137, signatureType: 0, notionalCap: usdc('10') } as const;
 * const signer = await KeyFileSigner.open('/home/me/stakeport.key', terms);
 * ```
 */

export type { HttpLimits } from '../transport/http-limits.js';
export type { TextHeartbeat, WebSocketLimits } from '../transport/websocket-session.js';
export type { Alarm } from '../venue/order-results.js';
export { type ConnectOptions, connectPolymarket, type PolymarketConnection } from './execution/connect.js';
export { POLYMARKET } from './http/venue-name.js';
export { archivedMarket } from './market-data/listing.js';
export { PolymarketMarketData, type PolymarketOptions } from './market-data/polymarket-market-data.js';
export { polymarket } from './polymarket.js';
export type { ApiCredentials } from './signing/l2-headers.js';
export type { Login } from './signing/login.js';
export type { Hex, OrderDomain, OrderStruct, Signer } from './signing/signer.js';
export type { CheckedSigner, SigningTerms } from './signing/signers/index.js';
export { EnvironmentSigner, KeyFileSigner } from './signing/signers/index.js';

import type { ClobMarket, CompactMarket } from '../http/clob-wire.js';
import type { GammaMarket } from '../http/gamma-wire.js';

/** The venue's records of one market, by source. */
export interface MarketRecords {
  readonly gamma: GammaMarket;
  /** The record of `/clob-markets/{condition id}`. */
  readonly compact?: CompactMarket | undefined;
  /** The record of `/markets/{condition id}` of the CLOB. */
  readonly clob?: ClobMarket | undefined;
  readonly readAt: Date;
}

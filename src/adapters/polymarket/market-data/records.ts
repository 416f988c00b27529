import type { ClobMarket, CompactMarket } from '../http/clob-wire.js';
import type { GammaMarket } from '../http/gamma-wire.js';

/** The venue's records of one market, by source. */
export interface MarketRecords {
  readonly gamma: GammaMarket;
  /** Of `/clob-markets/{condition id}`. */
  readonly compact?: CompactMarket | undefined;
  /** Of `/markets/{condition id}` of the CLOB. */
  readonly clob?: ClobMarket | undefined;
  readonly readAt: Date;
}

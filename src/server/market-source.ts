import { NoMarketData } from '../adapters/market-data/index.js';
import { PolymarketMarketData } from '../adapters/polymarket/index.js';
import { systemTimeline } from '../adapters/system/index.js';
import { openTape } from '../adapters/tape/index.js';
import type { RecordedTime } from '../core/usecases/retrace-orders.js';
import type { MarketData } from '../ports/market-data.js';
import type { Timeline } from '../ports/system.js';
import type { MarketDataConfig } from './config.js';

/** Where market data comes from, open, and the time that goes with it. */
export interface MarketSource {
  readonly data: MarketData;
  /** The machine's time, or the tape's: orders are placed in the same time as the book moves. */
  readonly timeline: Timeline;
  /** True where there are books to match against. */
  readonly hasBooks: boolean;
  /** The time that a tape plays from its beginning at every start; null where time only goes on. */
  readonly recorded: RecordedTime | null;
  /**
   * Begins to tell; called once what rested before is back in its place. Recorded time goes at once up to `resumeFrom`;
   * resolves when it is there.
   */
  start(resumeFrom?: Date): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the source that is configured. `report` is told of what goes wrong and is being mended, or, for a tape, of what
 * ended it before its end.
 * @throws TapeUnreadable, or what the file system says
 */
export async function openMarketSource(
  config: MarketDataConfig,
  report: (reason: string, error?: unknown) => void,
): Promise<MarketSource> {
  const live = { timeline: systemTimeline, recorded: null, start: async () => {} };
  switch (config.kind) {
    case 'none':
      return { ...live, data: new NoMarketData(), hasBooks: false, close: async () => {} };
    case 'polymarket': {
      const data = new PolymarketMarketData({ ...config, clock: systemTimeline, report });
      return { ...live, data, hasBooks: true, close: () => data.close() };
    }
    case 'tape': {
      const tape = await openTape(config.path, { speed: config.speed });
      tape.ended.catch((error: unknown) => report('the tape stopped before its end', error));
      return {
        data: tape,
        timeline: tape,
        hasBooks: true,
        recorded: tape.index,
        start: (resumeFrom) => tape.start(resumeFrom),
        close: async () => tape.stop(),
      };
    }
  }
}

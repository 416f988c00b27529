import { NoMarketData } from '../../adapters/market-data/index.js';
import { systemTimeline } from '../../adapters/system/index.js';
import type { Speed } from '../../adapters/tape/index.js';
import type { MarketDataState } from '../../core/market/market.js';
import type { RecordedTime } from '../../core/usecases/orders/background/replay-orders.js';
import type { MarketData } from '../../ports/market-data.js';
import type { Timeline } from '../../ports/system.js';
import { tapeFailure } from '../failures/failure.js';
import type { MarketDataConfig } from '../settings/config.js';
import type { TapeStart } from '../settings/values.js';

/** What a tape plays, and how fast. */
export interface PlayedTape extends RecordedTime {
  readonly speed: Speed;
}

/** Where market data comes from, open, and the time that goes with it. */
export interface MarketSource {
  readonly data: MarketData;
  /** The machine's time, or the tape's: orders are placed in the same time in which the book moves. */
  readonly timeline: Timeline;
  /** The sports of the known markets, without a request to the venue; null where they are not known. */
  readonly sports: () => readonly string[] | null;
  /** Whether some of its markets have one net position each; absent for none. */
  readonly nets?: () => boolean;
  /** True where there are books to match against. */
  readonly hasBooks: boolean;
  /** The time that a tape replays from its beginning at every start; null where time is not replayed. */
  readonly recorded: PlayedTape | null;
  /** When recorded time goes on after a start: at once, or with the first request for orders, strategies, a stream of markets or a page. */
  readonly begins: TapeStart;
  /** What market data does now. */
  readonly state: () => MarketDataState;
  /** Resolves when a tape has ended; never without a tape, nor once the source was closed. */
  readonly ended: Promise<void>;
  /**
   * Starts market data; called once resting orders are back in their place. Recorded time runs at once up to `resumeFrom`, or its
   * first moment, and stops there until `goOn`; resolves when it has stopped.
   */
  start(resumeFrom?: Date): Promise<void>;
  /** Lets stopped recorded time go on. */
  goOn(): void;
  close(): Promise<void>;
}

/** Reports a fault that is being recovered from, or, for a tape, why it stopped early. */
type Report = (reason: string, error?: unknown) => void;

/**
 * Opens the source that is configured.
 * @throws CommandFailed when the tape does not exist
 */
export async function openMarketSource(config: MarketDataConfig, report: Report): Promise<MarketSource> {
  const never = new Promise<never>(() => {});
  const live = {
    timeline: systemTimeline,
    recorded: null,
    begins: 'now' as const,
    ended: never,
    start: async () => {},
    goOn: () => {},
  };
  switch (config.kind) {
    case 'none':
      return {
        ...live,
        data: new NoMarketData(),
        sports: () => null,
        hasBooks: false,
        state: () => 'none',
        close: async () => {},
      };
    case 'venue': {
      const data = await config.source.open(systemTimeline, report);
      return {
        ...live,
        data,
        sports: () => config.sports,
        nets: () => config.netsOutcomes === true,
        hasBooks: true,
        state: () => 'live',
        close: () => data.close(),
      };
    }
    case 'tape':
      return openTapeSource(config, report);
  }
}

type TapeConfig = Extract<MarketDataConfig, { kind: 'tape' }>;

async function openTapeSource({ path, speed, start: begins }: TapeConfig, report: Report): Promise<MarketSource> {
  const { openTape } = await import('../../adapters/tape/index.js');
  const tape = await openTape(path, { speed }).catch((error: unknown) => {
    throw tapeFailure(error, `MARKET_DATA=tape:${path}`);
  });
  const { venue, recordedAt } = tape.index.header;
  let closed = false;
  let state: MarketDataState = 'waiting';
  tape.ended.finally(() => (state = 'ended')).catch(() => {});
  const ended = new Promise<void>((resolve) => {
    tape.ended.then(
      () => closed || resolve(),
      (error: unknown) => report('the tape stopped before its end', error),
    );
  });
  return {
    data: tape,
    timeline: tape,
    sports: () => tape.sports(),
    nets: () => tape.nets(),
    hasBooks: true,
    begins,
    ended,
    state: () => state,
    recorded: { ...tape.index, name: `${venue} ${recordedAt.toISOString()}`, speed },
    start: (resumeFrom = tape.began) => tape.standAt(resumeFrom),
    goOn: () => {
      state = 'playing';
      tape.goOn();
    },
    close: async () => {
      closed = true;
      tape.stop();
    },
  };
}

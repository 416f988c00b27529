import type { Logger } from 'pino';
import { systemClock } from '../../adapters/system/system.js';
import type { TapeFolder } from '../../adapters/tape/tape-folder.js';
import type { TapeRecorder } from '../../adapters/tape/tape-recorder.js';
import { tapeFailure } from '../failures/failure.js';
import type { RecordingConfig } from '../settings/config.js';
import type { MarketSource } from '../wiring/market-source.js';

const TICK_MS = 1000;
const TICKS_TO_LOOK = 10;
const HOW_IT_GOES_ON = 'it goes on by itself once there is room: move tapes elsewhere, or raise RECORD_MAX_MB';

/** Records what venues say of the markets that a server follows, in a folder. Trading never waits for it. */
export class FeedRecording {
  readonly #recorded: { readonly files: TapeFolder; readonly recorder: TapeRecorder }[] = [];
  #mayWrite = () => false;
  #timer: NodeJS.Timeout | undefined;
  #ticks = 0;

  constructor(
    private readonly config: RecordingConfig,
    private readonly logger: Logger,
  ) {}

  /** The source, recorded where RECORD says so. That of a tape is one already. @throws CommandFailed when nothing can be written there */
  async of(source: MarketSource): Promise<MarketSource> {
    const { folder, mostBytes } = this.config;
    if (folder === null || source.recorded !== null || !source.hasBooks) return source;
    const [{ TapeFolder }, { TapeRecorder }, { RecordedMarketData }] = await Promise.all([
      import('../../adapters/tape/tape-folder.js'),
      import('../../adapters/tape/tape-recorder.js'),
      import('../../adapters/tape/recorded-market-data.js'),
    ]);
    const { venue } = source.data;
    const files = await TapeFolder.open({
      folder,
      venue,
      clock: systemClock,
      mostBytes,
      mayWrite: () => this.#mayWrite(),
      report: (trouble) => this.#report(venue, trouble),
    }).catch((error: unknown) => {
      throw tapeFailure(error, `RECORD=${folder}`);
    });
    const recorder = new TapeRecorder(files, systemClock);
    this.#recorded.push({ files, recorder });
    return { ...source, data: new RecordedMarketData(source.data, recorder) };
  }

  /** Why nothing is recorded at present; null where nothing is to be, or there is room. */
  get trouble(): string | null {
    return this.#recorded.map(({ files }) => files.trouble).find((trouble) => trouble !== null) ?? null;
  }

  /** Begins to write, while it may: of several servers that share a database, one does. */
  begin(mayWrite: () => boolean): void {
    this.#mayWrite = mayWrite;
    if (this.#recorded.length > 0) this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Resolves when everything is in the files. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#recorded.map(({ recorder }) => recorder.close()));
  }

  #tick(): void {
    this.#ticks += 1;
    for (const { files, recorder } of this.#recorded) {
      recorder.tick();
      if (this.#ticks % TICKS_TO_LOOK === 0) void files.look();
    }
  }

  #report(venue: string, trouble: string | null): void {
    if (trouble === null) this.logger.warn({ venue }, 'recording goes on');
    else this.logger.error({ venue }, `recording has stopped: ${trouble}; ${HOW_IT_GOES_ON}`);
  }
}

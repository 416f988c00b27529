import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { MarketId } from '../../core/ids.js';
import type { Market, MarketQuery } from '../../core/market/market.js';
import { TapeFolder, tapesIn } from './tape-folder.js';
import { readLine } from './tape-line.js';
import { NOT_BEFORE, type Recording, type RecordingProgress, runRecorder, TapeRecorder } from './tape-recorder.js';
import { textLines } from './text-lines.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const PAGE = 100;
/** How many markets one recorder follows. */
const MOST_FOLLOWED = 1000;
const LOOK_EVERY_MS = 10_000;
const LOOKS_TO_SEARCH = 6;
/** Those that a venue lists as not over. */
const STATUSES = ['upcoming', 'open', 'in_play', 'suspended'] as const;

/** What to look for, and where to record what is found. */
export interface SearchRecording extends Pick<Recording, 'clock' | 'progress' | 'signal' | 'source'> {
  readonly venue: string;
  readonly search: Pick<MarketQuery, 'league' | 'sport'>;
  /** How many days before its start a market is followed. One without a start never is. */
  readonly daysAhead: number;
  readonly folder: string;
  /** The most bytes of all tapes in the folder. */
  readonly mostBytes: number;
  /** Called with what goes wrong and is tried again, in words. */
  readonly report: (words: string) => void;
  /** How often it looks for room; six times as rarely for markets. Ten seconds when absent. */
  readonly lookEveryMs?: number;
}

/**
 * Records the markets that a search finds in a folder, each until it has a result, until the signal aborts. What a tape of
 * before left without one is followed again.
 * @throws what the source throws at the first search; when nothing can be written in the folder
 */
export async function recordSearch(recording: SearchRecording): Promise<RecordingProgress> {
  const { folder, venue, clock, mostBytes, report, signal, lookEveryMs = LOOK_EVERY_MS } = recording;
  const told = (trouble: string | null) =>
    report(trouble === null ? 'recording goes on' : `recording has stopped: ${trouble}`);
  const files = await TapeFolder.open({ folder, venue, clock, mostBytes, report: told });
  const before = await tapesIn(folder);
  const markets = new SearchedMarkets(recording, new TapeRecorder(files, clock));
  const work = async () => {
    await markets.search();
    void markets.resume(before);
    for (let looks = 1; !signal.aborted; looks += 1) {
      await delay(lookEveryMs, undefined, { signal }).catch(() => {});
      await files.look();
      markets.leaveEnded();
      if (looks % LOOKS_TO_SEARCH === 0 && !signal.aborted) await markets.search().catch(markets.failed);
    }
  };
  return runRecorder(markets.recorder, recording, work, new Promise(() => {}));
}

class SearchedMarkets {
  #isFullSaid = false;

  constructor(
    private readonly recording: SearchRecording,
    readonly recorder: TapeRecorder,
  ) {}

  readonly failed = (error: unknown): void => {
    if (this.recording.signal.aborted) return;
    this.recording.report(`${error instanceof Error ? error.message : error} It is tried again.`);
  };

  /** Follows what is found and not followed yet, what starts first before the rest. @throws what the source throws */
  async search(): Promise<void> {
    const { source, search, signal } = this.recording;
    const found: Market[] = [];
    let after: string | undefined;
    do {
      const page = { limit: PAGE, ...(after !== undefined && { after }) };
      const { items, next } = await source.search({ ...search, status: STATUSES }, page);
      found.push(...items.filter((market) => this.#isSoon(market)));
      after = next ?? undefined;
    } while (after !== undefined && !signal.aborted);
    this.#follow(found.sort((a, b) => Number(a.startsAt) - Number(b.startsAt)));
  }

  /** Stops following what has a result: it is on the tape. */
  leaveEnded(): void {
    for (const { id, payout } of this.recorder.markets) if (payout !== null) this.recorder.remove(id);
  }

  /** Follows what the newest of these tapes left without a result, or records the result that came meanwhile. Never throws. */
  async resume(paths: readonly string[]): Promise<void> {
    try {
      for (const id of await openMarketsIn(paths, this.recording.venue)) {
        if (this.#isFollowed(id) || this.recording.signal.aborted) continue;
        const market = await this.recording.source.find(id);
        if (market !== undefined) this.#follow([market]);
      }
    } catch (error) {
      this.failed(error);
    }
  }

  #follow(markets: readonly Market[]): void {
    const { source, report } = this.recording;
    const isFollowed = new Set(this.recorder.markets.map(({ id }) => id));
    const fresh = markets.filter(({ id }) => !isFollowed.has(id));
    const room = Math.max(0, MOST_FOLLOWED - isFollowed.size);
    for (const market of fresh.slice(0, room))
      void this.recorder.follow(market, source, NOT_BEFORE).catch((error: unknown) => {
        this.recorder.remove(market.id);
        this.failed(error);
      });
    if (fresh.length > room && !this.#isFullSaid)
      report(`${fresh.length - room} markets are not recorded: one recorder follows ${MOST_FOLLOWED}`);
    this.#isFullSaid = fresh.length > room;
  }

  #isFollowed(id: MarketId): boolean {
    return this.recorder.markets.some((market) => market.id === id);
  }

  #isSoon({ startsAt }: Market): boolean {
    const { clock, daysAhead } = this.recording;
    return startsAt !== null && startsAt.getTime() <= clock.now().getTime() + daysAhead * DAY_MS;
  }
}

/** The markets without a result of the newest tape of this venue that has any. */
async function openMarketsIn(paths: readonly string[], venue: string): Promise<readonly MarketId[]> {
  for (const path of paths.toReversed()) {
    if (!basename(path).startsWith(`${venue}-`)) continue;
    const isOpen = new Map<MarketId, boolean>();
    for await (const { text, whole } of textLines(path)) {
      if (!whole || !text.includes('"market":{')) continue;
      const line = readLine(text);
      if (line.type === 'change' && line.change.type === 'market')
        isOpen.set(line.marketId, line.change.market.payout === null);
    }
    if (isOpen.size > 0) return [...isOpen].flatMap(([id, open]) => (open ? [id] : []));
  }
  return [];
}

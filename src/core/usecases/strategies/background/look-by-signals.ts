import { type Signal, type SignalKey, signalKeyText } from '../../../signal/signal.js';
import type { WatchedMarket } from '../../../strategy/watch/watched-market.js';
import type { Watcher } from '../../../strategy/watch/watcher.js';
import { NoticeSignals } from './notice-signals.js';
import type { RunnerParts } from './runner-parts.js';
import type { WatchedMarkets } from './watched-markets.js';

/** Has these watchers look at the market. */
type Look = (watched: WatchedMarket, watchers: readonly Watcher[]) => Promise<void>;

/** Has strategies look with the next turn of the process where a signal was put that they decide by, and in the other markets of its set. */
export class LookBySignals {
  readonly #notice: NoticeSignals | null;
  readonly #end: () => void;

  constructor(
    private readonly markets: WatchedMarkets,
    private readonly parts: Pick<RunnerParts, 'ledger' | 'signalNews' | 'timeline' | 'apart'>,
    private readonly look: Look,
  ) {
    const { signalNews, ledger } = parts;
    this.#notice = signalNews ? new NoticeSignals(ledger.signals, signalNews) : null;
    this.#end = signalNews?.on((signals) => this.#plan(signals)) ?? (() => {});
  }

  /** Notices what other servers put since the last call, of these signals too. @throws StorageUnavailable */
  async notice(also: readonly SignalKey[]): Promise<void> {
    const keys = new Map([...this.markets.signalKeys(), ...also].map((key) => [signalKeyText(key), key]));
    await this.#notice?.execute([...keys.values()]);
  }

  /** Has nobody look from now on. */
  end(): void {
    this.#end();
    this.#notice?.end();
  }

  #plan(signals: readonly Signal[]): void {
    const { timeline, apart = (work) => work() } = this.parts;
    const work = () => apart(() => this.#lookBy(signals));
    // A tape is not looked at beside what happens in it.
    if (timeline === undefined) void work();
    else timeline.at(timeline.now(), work);
  }

  async #lookBy(signals: readonly Signal[]): Promise<void> {
    for (const signal of signals)
      for (const watched of this.markets.setOf(signal)) await this.look(watched, watchersOf(watched, signal));
  }
}

const watchersOf = (watched: WatchedMarket, { account, name }: Signal): readonly Watcher[] =>
  watched.due().filter(({ strategy, rules }) => strategy.account === account && rules.signal?.name === name);

import type { Signal } from '../../../signal/signal.js';
import type { WatchedMarket } from '../../../strategy/watched-market.js';
import type { Watcher } from '../../../strategy/watcher.js';
import type { RunnerParts } from './runner-parts.js';
import type { WatchedMarkets } from './watched-markets.js';

/** Has these watchers look at the market. */
type Look = (watched: WatchedMarket, watchers: readonly Watcher[]) => Promise<void>;

/**
 * Has strategies look with the next turn of the process where a signal was put that they decide by, and in the other markets of its set.
 * The function returned ends that.
 */
export function lookBySignals(
  markets: Pick<WatchedMarkets, 'setOf'>,
  { signalNews, timeline, apart = (work) => work() }: Pick<RunnerParts, 'signalNews' | 'timeline' | 'apart'>,
  look: Look,
): () => void {
  const lookBy = async (signals: readonly Signal[]) => {
    for (const signal of signals)
      for (const watched of markets.setOf(signal)) await look(watched, watchersOf(watched, signal));
  };
  const end = signalNews?.on((signals) => {
    const work = () => apart(() => lookBy(signals));
    // A tape is not looked at beside what happens in it.
    if (timeline === undefined) void work();
    else timeline.at(timeline.now(), work);
  });
  return end ?? (() => {});
}

const watchersOf = (watched: WatchedMarket, { account, name }: Signal): readonly Watcher[] =>
  watched.due().filter(({ strategy, rules }) => strategy.account === account && rules.signal?.name === name);

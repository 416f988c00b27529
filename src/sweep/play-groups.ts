import type { BacktestPlan } from '../backtest/backtest-plan.js';
import { runOf } from '../backtest/merge-shares.js';
import type { PlayedShare, StrategyShare } from '../backtest/play-share.js';
import { playOnThread, playReporting } from '../backtest/workers.js';
import { type FigureTerms, variantFigures } from './figures.js';
import type { PlayedGroup } from './sweep-folder.js';

/** Where groups are played, and who ends it or follows it. */
export interface GroupPlace {
  readonly workers: number;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of a group and which part of it is played, from 0 to 1. */
  readonly onReached: (group: number, done: number) => void;
  /** Takes what came of a group; the next one is played once it is done. */
  readonly onPlayed: (played: PlayedGroup) => Promise<void>;
}

/** What groups are played of. */
export interface GroupTerms extends FigureTerms {
  readonly id: string;
  readonly plan: BacktestPlan;
  readonly size: number;
}

/** Plays groups of variants, each in one reading of the tapes; a group that the signal ends is none. */
export async function playGroups(groups: readonly number[], terms: GroupTerms, place: GroupPlace): Promise<void> {
  const waiting = [...groups];
  const ended = new AbortController();
  const end = () => ended.abort();
  place.signal?.addEventListener('abort', end);
  if (place.signal?.aborted === true) end();
  const lane = async (number: number) => {
    // The first of them is on this thread, which has loaded by now what plays it.
    const play = number === 0 ? playReporting : playOnThread;
    for (let group = waiting.shift(); group !== undefined && !ended.signal.aborted; group = waiting.shift()) {
      const played = await playGroup(group, terms, play, { ...place, signal: ended.signal });
      if (played !== null) await place.onPlayed(played);
    }
  };
  const lanes = Array.from({ length: Math.max(1, Math.min(place.workers, groups.length)) }, (_, number) =>
    lane(number).catch((error: unknown) => {
      // The others have nothing to go on for.
      ended.abort();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find((one) => one.status === 'rejected');
  place.signal?.removeEventListener('abort', end);
  if (failed !== undefined) throw failed.reason;
}

/** Warnings about bets of a group, which say nothing of the best one. */
const OF_ONE_STRATEGY: readonly string[] = ['nearly_certain', 'never_bet', 'out_of_cash'];

async function playGroup(
  group: number,
  terms: GroupTerms,
  play: (share: StrategyShare, place: Parameters<typeof playOnThread>[1]) => Promise<PlayedShare>,
  place: GroupPlace,
): Promise<PlayedGroup | null> {
  const { id, plan, size } = terms;
  const strategies = plan.strategies.slice(group * size, (group + 1) * size);
  const share: StrategyShare = {
    ...plan.terms,
    // Of decisions nothing is shown.
    skipLimits: { perStrategy: 1, all: Number.POSITIVE_INFINITY },
    strategies: strategies.map(({ draft, account, match }) => ({ draft, account, match })),
  };
  const began = Math.min(...share.tapes.map(({ index }) => index.began.getTime()));
  const whole = share.until.getTime() - began;
  const onReached = (at: Date) => place.onReached(group, whole <= 0 ? 1 : Math.min(1, (at.getTime() - began) / whole));
  const played = await play(share, { signal: place.signal, onReached });
  if (place.signal?.aborted === true || played.reached < plan.terms.until) return null;
  const run = runOf({ ...plan, strategies }, [played]);
  return {
    id,
    group,
    variants: run.played.filter(({ strategy }) => strategy !== null).map((one) => variantFigures(one, terms)),
    coverage: run.header.coverage,
    gaps: run.header.gaps,
    warnings: run.warnings.filter(({ code }) => !OF_ONE_STRATEGY.includes(code)),
  };
}

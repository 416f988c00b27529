import type { Timeline } from '../../../../ports/system.js';
import { repeat, untilNext } from '../../../concurrency/repeat.js';
import type { ExpireApprovals } from '../../approvals/background/expire-approvals.js';
import type { Doubt } from '../../trading/background/reduce-for-now.js';
import type { LookAfterBets } from './look-after-bets.js';
import type { RunStrategies } from './run-strategies.js';
import type { OnRunnerFault } from './runner-parts.js';

/** How often changed strategies are read: a new version decides from then on. */
const STRATEGIES_EVERY_MS = 1000;
/** How often markets are searched for: games appear, and their start may move. */
const MARKETS_EVERY_MS = 30_000;
/** How often counts of skips are stored. */
const COUNTS_EVERY_MS = 10_000;
/** How often it is read which bets wait for a person; they expire at their ends. */
const APPROVALS_EVERY_MS = 1000;
/** How often bets that wait are compared with their markets, whose games begin and end. */
const COMPARED_EVERY_MS = 10_000;
/** How often it is asked whether market data is silent. */
const SILENCE_EVERY_MS = 10_000;

/** The part that places bets, and the part that manages them afterwards. */
export interface TradingParts {
  readonly runner: RunStrategies;
  readonly after: LookAfterBets;
}

/** What automated trading is made of, and whom it asks and notifies. */
export interface AutomatedTradingTerms {
  readonly timeline: Timeline;
  /** Makes the parts anew each time that trading begins: nothing is remembered from before. */
  readonly begin: () => TradingParts;
  readonly expire: Pick<ExpireApprovals, 'execute' | 'compare'>;
  readonly onFault: OnRunnerFault;
  /** Asked before each piece of work: false while another process trades. By default true. */
  readonly mayTrade?: () => boolean;
  /** Makes readers that answer whether the record may have changed since they were asked; by default it always may. */
  readonly changes?: (() => () => boolean) | undefined;
  /** Makes readers that answer the same of the record, the markets and the day together. */
  readonly news?: (() => () => boolean) | undefined;
  /** Called where prices are not to be trusted as a whole. */
  readonly onDoubt?: (doubt: Doubt) => Promise<unknown>;
  /** Called every ten seconds while it trades. */
  readonly onLook?: (trading: TradingParts) => Promise<unknown>;
}

/**
 * Lets strategies trade by themselves, in the time of a timeline: it reads their versions, looks for markets, has every bet and exit
 * decided, and lets approvals expire. A server, a program and a backtest use this one schedule, so that they decide the same.
 */
export class AutomatedTrading {
  readonly #ends: readonly (() => void)[];
  #trading: TradingParts | null = null;

  /** Begins at once. */
  constructor(private readonly terms: AutomatedTradingTerms) {
    const { timeline, expire, onDoubt = async () => {}, onLook = async () => {} } = terms;
    const { changes = alwaysNew, news = alwaysNew } = terms;
    const every = (
      ms: number,
      task: (trading: TradingParts) => Promise<unknown>,
      what: string,
      mayHaveWork = () => true,
    ) => {
      const isNeeded = () => this.#current() !== null && mayHaveWork();
      return repeat(timeline, ms, () => this.#attempt(task, what), { isNeeded });
    };
    const expiry = untilNext(timeline, (plan) =>
      this.#attempt(async () => plan(await expire.execute()), 'could not let approvals expire'),
    );
    const mayHaveEnded = changes();
    this.#ends = [
      every(STRATEGIES_EVERY_MS, ({ after }) => after.refresh(), 'could not look after bets', changes()),
      every(MARKETS_EVERY_MS, ({ after }) => after.refreshMarkets(), 'could not look after bets'),
      every(STRATEGIES_EVERY_MS, refresh, 'could not read the strategies', changes()),
      every(STRATEGIES_EVERY_MS, noticeSignals, 'could not look for signals', changes()),
      every(
        STRATEGIES_EVERY_MS,
        ({ runner }) => runner.endHolds(mayHaveEnded()),
        'could not look at refused bets',
        news(),
      ),
      every(MARKETS_EVERY_MS, ({ runner }) => runner.beginRefresh(), 'could not look for markets'),
      every(
        SILENCE_EVERY_MS,
        async ({ runner: { doubt } }) => doubt && onDoubt(doubt),
        'could not put on record that market data is silent',
      ),
      every(SILENCE_EVERY_MS, onLook, 'could not raise the alarm of a slow search'),
      every(COUNTS_EVERY_MS, ({ runner }) => runner.storeCounts(), 'could not store counts'),
      every(APPROVALS_EVERY_MS, () => expiry.run(), 'could not let approvals expire', changes()),
      every(COMPARED_EVERY_MS, () => expire.compare(), 'could not compare approvals with their markets'),
      () => expiry.end(),
    ];
  }

  /** Null while another process trades, as far as was seen. */
  get trading(): TradingParts | null {
    return this.#trading;
  }

  /** Decides nothing from now on; stores what was counted. */
  async stop(): Promise<void> {
    for (const end of this.#ends) end();
    const stored = this.#trading?.runner.storeCounts();
    this.#end();
    await stored?.catch((error: unknown) => this.terms.onFault('could not store counts', error));
  }

  async #attempt(task: (trading: TradingParts) => Promise<unknown>, what: string): Promise<void> {
    const now = this.#current();
    if (now !== null) await task(now).catch((error: unknown) => this.terms.onFault(what, error));
  }

  #current(): TradingParts | null {
    const { begin, mayTrade = () => true } = this.terms;
    if (mayTrade()) this.#trading ??= begin();
    else this.#end();
    return this.#trading;
  }

  #end(): void {
    this.#trading?.runner.stop();
    this.#trading?.after.stop();
    this.#trading = null;
  }
}

const alwaysNew = () => () => true;

/** Takes in changed strategies, and searches for markets at once where one is new; nothing waits for the search. */
async function refresh({ runner }: TradingParts): Promise<void> {
  if (await runner.refreshStrategies()) await runner.followNew();
}

/** Notices the signals that decide bets, and those that decide exits. */
const noticeSignals = ({ runner, after }: TradingParts): Promise<void> => runner.noticeSignals(after.signalKeys());

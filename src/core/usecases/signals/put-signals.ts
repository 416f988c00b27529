import type { SignalStore } from '../../../ports/signals.js';
import type { Clock } from '../../../ports/system.js';
import type { AccountId } from '../../ids.js';
import type { SignalNews } from '../../signal/signal.js';
import { type Signal, type SignalDraft, signalKeyText } from '../../signal/signal.js';
import { type FaultInSignals, SignalsInvalid, TooManySignals } from '../../signal/signal-errors.js';
import type { CompleteSignal, SignalOwner } from './complete-signal.js';

/** The most signals of an account. Requests at the same time may pass it by what they carry. */
export const MOST_SIGNALS = 100_000;
/** Accounts whose room is remembered; beyond this number the memory starts again. */
const REMEMBERED = 10_000;

/** What a model of an account says of markets. */
export interface PutSignalsCommand extends SignalOwner {
  readonly drafts: readonly SignalDraft[];
}

const REPEATED = { member: 'marketId', label: null, words: 'is in the list before', refusal: null } as const;

/** Stores the signals of a model for markets, all or none, in place of its earlier ones. */
export class PutSignals {
  /** How many new signals of an account fit before they are counted again. */
  readonly #room = new Map<AccountId, number>();

  constructor(
    private readonly signals: SignalStore,
    private readonly completeSignal: CompleteSignal,
    /** The time of the markets: that of a tape where one is played. */
    private readonly clock: Clock,
    private readonly most = MOST_SIGNALS,
    private readonly news: SignalNews | null = null,
  ) {}

  /**
   * Returns them in the order of the drafts.
   * @throws SignalsInvalid, TooManySignals, MarketDataUnavailable, StorageUnavailable
   */
  async execute({ account, name, drafts }: PutSignalsCommand): Promise<readonly Signal[]> {
    const now = this.clock.now();
    const owner = { account, name };
    const checked = await Promise.all(drafts.map((draft) => this.completeSignal.execute(owner, draft, now)));
    const signals = allOf(checked);
    await this.#makeRoom(account, signals, now);
    await this.signals.put(signals);
    this.news?.publish(signals);
    return signals;
  }

  async #makeRoom(account: AccountId, signals: readonly Signal[], now: Date): Promise<void> {
    let room = this.#room.get(account) ?? 0;
    if (room < signals.length) {
      const known = await Promise.all(signals.map((signal) => this.signals.find(signal)));
      const added = known.filter((one) => one === undefined).length;
      room = this.most - (await this.signals.count(account));
      if (room < added) room += await this.signals.forgetExpired(now, account);
      if (room < added) throw new TooManySignals(this.most);
    }
    if (this.#room.size > REMEMBERED) this.#room.clear();
    this.#room.set(account, Math.max(room - signals.length, 0));
  }
}

/** The signals, where none has a fault and no market is named twice. @throws SignalsInvalid */
function allOf(checked: readonly Awaited<ReturnType<CompleteSignal['execute']>>[]): readonly Signal[] {
  const places = new Map<string, number>();
  const signals: Signal[] = [];
  const [first, ...others] = checked.flatMap((one, at): readonly FaultInSignals[] => {
    if ('faults' in one) return one.faults.map((fault) => ({ at, ...fault }));
    signals.push(one);
    const key = signalKeyText(one);
    if (places.has(key)) return [{ at, ...REPEATED }];
    places.set(key, at);
    return [];
  });
  if (first !== undefined) throw new SignalsInvalid([first, ...others]);
  return signals;
}

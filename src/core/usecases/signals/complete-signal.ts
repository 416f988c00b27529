import type { SignalStore } from '../../../ports/signals.js';
import { type DomainError, MarketNotFound, MarketUnusable } from '../../errors.js';
import type { Signal, SignalDraft, SignalKey } from '../../signal/signal.js';
import { type Completed, completed, expiryFaults, type Labels, type SignalFault } from '../../signal/signal-check.js';
import type { FaultInSignals } from '../../signal/signal-errors.js';
import type { Venues } from '../../venues/venues.js';

/** What is wrong with one signal. */
export type OwnFault = Omit<FaultInSignals, 'at'>;

/** Whose model speaks. */
export type SignalOwner = Pick<SignalKey, 'account' | 'name'>;

type Placed = Completed & Pick<Signal, 'venue' | 'marketId'>;
/** Everything that is wrong with one signal. */
export interface FaultySignal {
  readonly faults: readonly OwnFault[];
}

const NO_OUTCOMES = 'The venue shows no market with this id, or does not show its outcomes.';

/** Makes a signal of what a model sends: its market's own id, and the probabilities of both outcomes as the market spells them. */
export class CompleteSignal {
  constructor(
    private readonly signals: SignalStore,
    private readonly venues: Venues,
  ) {}

  /**
   * The signal, or everything that is wrong with it. The market is looked up at its venue only where the signal that is stored
   * does not show its outcomes. @throws MarketDataUnavailable, StorageUnavailable
   */
  async execute(owner: SignalOwner, draft: SignalDraft, now: Date): Promise<Signal | FaultySignal> {
    const late = expiryFaults(draft.expiresAt, now).map(ours);
    const found = await this.#place(owner, draft);
    if ('faults' in found) return { faults: [...late, ...found.faults] };
    const { account, name } = owner;
    const { expiresAt, source } = draft;
    return late.length > 0 ? { faults: late } : { account, name, ...found, expiresAt, source, updatedAt: now };
  }

  async #place({ account, name }: SignalOwner, draft: SignalDraft): Promise<Placed | FaultySignal> {
    let member: 'venue' | 'marketId' = 'venue';
    try {
      const { marketData } = this.venues.named(draft.venue);
      member = 'marketId';
      const { venue } = marketData;
      const { marketId, probabilities } = draft;
      const known = await this.signals.find({ account, name, venue, marketId });
      const again = known && completed(probabilities, [known.first.label, known.second.label]);
      if (again !== undefined && !('faults' in again)) return { venue, marketId, ...again };
      const market = await marketData.find(marketId, { account, purpose: 'look' });
      if (!market?.outcomes) throw new MarketNotFound(marketId, NO_OUTCOMES);
      const labels: Labels = [market.outcomes[0].label, market.outcomes[1].label];
      const both = completed(probabilities, labels);
      return 'faults' in both ? { faults: both.faults.map(ours) } : { venue, marketId: market.id, ...both };
    } catch (error) {
      if (!(error instanceof MarketNotFound || error instanceof MarketUnusable)) throw error;
      return { faults: [ofMarket(member, error)] };
    }
  }
}

const ours = (fault: SignalFault): OwnFault => ({ ...fault, refusal: null });

function ofMarket(member: string, refusal: DomainError): OwnFault {
  return { member, label: null, words: `cannot be taken: ${refusal.message.replace(/\.$/, '')}`, refusal };
}

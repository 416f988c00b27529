import type { Ledger } from '../../../ports/ledger.js';
import { InvariantBroken } from '../../errors.js';
import type { AccountId, DecisionId } from '../../ids.js';
import type { AccountEvent } from '../../ledger/event-log.js';
import type { DecisionRecord } from '../../strategy/record/decision-record.js';

/** A decision that is in the log. */
export interface Decided {
  readonly kind: 'decision';
  readonly decision: DecisionRecord;
}

/** The decisions that events name. */
export class LoggedDecisions {
  constructor(private readonly ledger: Pick<Ledger, 'decisions'>) {}

  /** Those of these events, by their ids. @throws InvariantBroken for any other id */
  async of(account: AccountId, events: readonly AccountEvent[]): Promise<(id: DecisionId) => Decided> {
    const named = events.flatMap(({ subject }) => (subject.kind === 'decision' ? [subject.id] : []));
    // A store answers those that are asked for in one turn together.
    const found = await Promise.all(named.map((id) => this.ledger.decisions.find(account, id)));
    const byId = new Map(found.flatMap((decision) => (decision === undefined ? [] : [[decision.id, decision]])));
    return (id) => {
      const decision = byId.get(id);
      if (decision === undefined) throw new InvariantBroken('every decision in the log is on record');
      return { kind: 'decision', decision };
    };
  }
}

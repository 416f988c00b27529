import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import type { Decision, Scope, Snapshot } from '../../../src/core/ledger/decision.js';
import type { OrderDraft } from '../../../src/core/order/draft.js';
import { price, usdc } from '../../support/builders.js';
import { fixture } from './book-fixture.js';

/** Keeps how many events each write stored. */
class CountingLedger extends MemoryLedger {
  readonly stored: number[] = [];

  override write<T>(scope: Scope, decide: (now: Snapshot) => Decision<T>): Promise<T> {
    return super.write(scope, (now) => {
      const decision = decide(now);
      this.stored.push(decision.events?.length ?? 0);
      return decision;
    });
  }
}

describe('A paper order that meets a book', () => {
  it.each<[string, Partial<OrderDraft>, string]>([
    ['fills at once', {}, 'filled'],
    ['rests', { price: price('0.49') }, 'open'],
    ['takes what is there', { timeInForce: 'FAK', size: usdc('80') }, 'cancelled'],
    ['is refused', { price: price('0.495') }, 'rejected'],
  ])('and %s is written only when placed and when matched', async (_, draft, state) => {
    const ledger = new CountingLedger();
    const { place } = fixture(undefined, undefined, undefined, ledger);
    expect(await place(draft)).toMatchObject({ state });
    expect(ledger.stored).toHaveLength(2);
    expect(ledger.stored.every((events) => events > 0)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/index.js';
import { PAPER } from '../../../src/adapters/paper/answers.js';
import { recordExecutions, recordStatusReport } from '../../../src/core/posting/outcome.js';
import type { Posting } from '../../../src/core/posting/posting.js';
import type { Exchange, PlaceResult } from '../../../src/ports/exchange.js';
import { anExecution, shares } from '../../support/builders.js';
import { accepts, ScriptedSimulator } from '../../support/scripted-exchange.js';
import { trading } from '../../support/trading.js';

const half = anExecution({ shares: shares('10') });

/** A paper venue in this process that answers every order with this. */
function answering(answer: PlaceResult): Exchange {
  const never = async () => ({ kind: 'unknown', reason: 'not asked' }) as const;
  const local = { lease: () => undefined, arrival: () => null, prepare: async () => {}, decide: () => null };
  const venue = { venue: PAPER, local, signing: null, closedForMs: () => null };
  return { ...venue, place: async () => answer, cancel: never, find: never };
}

describe('A paper order', () => {
  it('that its venue would not have accepted is denied', async () => {
    const refusal = { code: 'no_book', message: 'There is no book.' };
    const paper = answering({ kind: 'denied', refusal });
    expect(await trading(new MemoryLedger(), { paper }).place()).toMatchObject({ state: 'denied', refusal });
  });

  it.each([
    ['the answer to it', (posting: Posting, seen: PlaceResult) => recordStatusReport(posting, seen)],
    [
      'what is found as it is cancelled',
      (posting: Posting, seen: PlaceResult) => recordExecutions(posting, seen as never),
    ],
  ])('that has ended on record gains nothing by %s', async (_, record) => {
    const trader = trading(new MemoryLedger(), { paper: new ScriptedSimulator() });
    const order = await trader.place();
    const ended = await trader.book(order, (posting) =>
      posting.record({ type: 'cancelled', reason: 'market_resolved' }),
    );
    expect(await trader.book(ended, (posting) => record(posting, accepts([half], 'open')(order)))).toEqual(ended);
  });
});

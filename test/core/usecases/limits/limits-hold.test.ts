import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { found } from '../../../support/audited.js';
import { runs } from '../../../support/runs.js';
import { aCommand, type Command, HEDGED, LOST } from './limits-markets.js';
import { above, type Figures } from './limits-oracle.js';
import { Story } from './limits-story.js';

/** What may raise what is at risk, or lower what may be. */
const EXCUSES: ReadonlySet<Command['type']> = new Set(['settle', 'undo', 'limits', 'metadata']);

describe('The limits of an account and of a strategy', () => {
  it('hold unless outside events break them, and no order worsens a breach', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aCommand, { minLength: 20, maxLength: 60, size: 'max' }), async (commands) => {
        const story = await new Story().begin();
        let before: Figures = new Map();
        for (const command of commands) {
          await story.play(command);
          const now = await story.figures();
          if (!EXCUSES.has(command.type)) expect(above(now, story.before(before))).toEqual([]);
          before = now;
        }
        expect(await found(story.ledger)).toEqual([]);
      }),
      { numRuns: runs(60), examples: [[HEDGED], [LOST]] },
    );
  });
});

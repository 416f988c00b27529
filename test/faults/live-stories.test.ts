import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/runs.js';
import { LiveStory } from './live-story.js';
import { aStory } from './story.js';

describe('Any course of events between a server and its venue', () => {
  it("leaves at most one order per intent and matches the venue's record", {
    timeout: runs(600_000),
  }, async () => {
    const story = fc.asyncProperty(aStory, async (steps) => {
      expect(await LiveStory.of(steps)).toEqual([]);
    });
    await fc.assert(story, { numRuns: runs(100) });
  });
});

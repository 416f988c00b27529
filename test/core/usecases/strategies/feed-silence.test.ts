import { describe, expect, it } from 'vitest';
import type { VenueName } from '../../../../src/core/ids.js';
import { FeedSilence } from '../../../../src/core/usecases/strategies/background/feed-silence.js';
import { aMarket } from '../../../support/scripted-market.js';

const NOON = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(NOON + 1000 * seconds);
const followed = (venue: string, ...fresh: boolean[]) =>
  fresh.map((isFresh) => ({ market: { ...aMarket(), venue: venue as VenueName }, isFresh }));

describe('The market data of a venue', () => {
  it('is silent after a minute without a valid followed book', () => {
    const silence = new FeedSilence();
    expect(silence.look(followed('here', true, false), at(0))).toBeNull();
    expect(silence.look(followed('here', false, false), at(59))).toBeNull();
    expect(silence.look(followed('here', false, false), at(61))).toEqual({
      code: 'feed_silent',
      reason: 'No book of here could be trusted since 2026-03-01T12:00:00.000Z',
    });
    expect(silence.look(followed('here', false, true), at(62))).toBeNull();
  });

  it('has a minute from its first followed market, restarted after following none', () => {
    const silence = new FeedSilence();
    expect(silence.look(followed('here', false), at(0))).toBeNull();
    expect(silence.look([], at(50))).toBeNull();
    expect(silence.look(followed('here', false), at(90))).toBeNull();
    expect(silence.look(followed('here', false), at(150))).not.toBeNull();
  });

  it('is silent whatever another venue sends', () => {
    const silence = new FeedSilence();
    const both = [...followed('here', true), ...followed('there', false)];
    expect(silence.look(both, at(0))).toBeNull();
    expect(silence.look(both, at(60))?.reason).toMatch(/^No book of there/);
  });
});

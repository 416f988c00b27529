import { describe, expect, it } from 'vitest';
import type { Bookmarks } from '../../src/ports/ledger.js';

const NOON = new Date('2026-03-01T12:00:00.000Z');
const LATER = new Date('2026-03-01T12:00:00.001Z');

export function bookmarks(open: () => Bookmarks): void {
  describe('a bookmark', () => {
    it('is not there before it is set', async () => {
      expect(await open().findBookmark('a game')).toBeUndefined();
    });

    it('is the moment set last, to the millisecond, even an earlier one', async () => {
      const store = open();
      for (const at of [NOON, LATER, NOON, LATER]) {
        await store.setBookmark('a game', at);
        expect(await store.findBookmark('a game')).toEqual(at);
      }
    });

    it('is one for each name', async () => {
      const store = open();
      await store.setBookmark('a game', NOON);
      await store.setBookmark('A game', LATER);
      expect(await store.findBookmark('a game')).toEqual(NOON);
    });
  });
}

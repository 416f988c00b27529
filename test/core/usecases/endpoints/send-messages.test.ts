import { describe, expect, test } from 'vitest';
import type { MarketId } from '../../../../src/core/ids.js';
import { price, usdc } from '../../../support/builders.js';
import { MessageFixture } from './message-fixture.js';

const ARSENAL = 'BUY 20 Arsenal YES at 0.5 filled: 10.00 USDC, paper';
const HOUR = 3600;

describe('a person', () => {
  test('is sent 20 fills within a minute in one message', async () => {
    const fixture = new MessageFixture();
    const told = await fixture.passes(90, async (second) => (second < 60 && second % 3 === 0 ? fixture.bets() : null));
    expect(told).toEqual([Array.from({ length: 20 }, () => ARSENAL).join('\n')]);
  });

  test('reads of a fill what was bought, with whose strategy', async () => {
    const fixture = new MessageFixture({}, { description: 'Test bench' });
    const strategy = await fixture.trader.strategy({ bankrollCap: usdc('100'), stakeCap: usdc('50') });
    await fixture.bets({ price: price('0.57'), size: usdc('20'), strategyId: strategy.id });
    expect(await fixture.passes(30)).toEqual([
      'BUY 35.08 Arsenal YES at 0.57 filled: 20.00 USDC, paper, Home favourites v1',
    ]);
    expect(fixture.delivered[0]).toMatchObject({ title: 'Test bench', isUrgent: false });
  });

  test('is sent only the kinds of events that they chose', async () => {
    const fixture = new MessageFixture({}, { types: ['order.requested'] });
    await fixture.bets();
    expect(await fixture.passes(30)).toEqual(['BUY 20 Arsenal YES at 0.5 requested, paper']);
  });

  test('is sent a halt at once, and nothing a second time', async () => {
    const fixture = new MessageFixture();
    await fixture.bets();
    await fixture.halts();
    expect(await fixture.passes(1)).toEqual(['HALTED, account: enough, by me']);
    expect(fixture.delivered[0]?.isUrgent).toBe(true);
    expect(await fixture.passes(120)).toEqual([ARSENAL]);
  });
});

describe('quiet hours', () => {
  test('hold back what is not urgent, then send it in one message', async () => {
    const fixture = new MessageFixture({ quietHours: { from: '12:00', to: '12:10' }, zone: 'UTC' });
    await fixture.bets();
    await fixture.passes(60);
    await fixture.bets({ marketId: 'Chelsea' as MarketId });
    await fixture.halts();
    expect(await fixture.passes(500)).toEqual(['HALTED, account: enough, by me']);
    expect(await fixture.passes(60)).toEqual([`${ARSENAL}\n${ARSENAL.replace('Arsenal', 'Chelsea')}`]);
  });

  test('that a restart falls into lose nothing', async () => {
    const fixture = new MessageFixture({ quietHours: { from: '11:00', to: '12:02' } });
    await fixture.bets();
    expect(await fixture.passes(30)).toEqual([]);
    fixture.restart();
    expect(await fixture.passes(120)).toEqual([ARSENAL]);
  });

  test('are those of the zone that the person names', async () => {
    const fixture = new MessageFixture({ quietHours: { from: '12:00', to: '13:00' }, zone: 'Europe/Berlin' });
    await fixture.bets();
    expect(await fixture.passes(30)).toEqual([ARSENAL]);
  });
});

describe('a message that is not delivered', () => {
  test('waits as long as the messenger says, then includes newer events', async () => {
    const fixture = new MessageFixture({ gatherMs: 0 });
    fixture.outcomes.push({ kind: 'retry', because: 'Telegram takes no more for a while', afterMs: 40_000 });
    await fixture.bets();
    await fixture.passes(1);
    await fixture.bets({ marketId: 'Chelsea' as MarketId });
    fixture.restart();
    expect(await fixture.passes(38)).toEqual([]);
    expect(await fixture.passes(5)).toEqual([`${ARSENAL}\n${ARSENAL.replace('Arsenal', 'Chelsea')}`]);
    expect(fixture.progress).toMatchObject({ failingSince: null, heldUntil: null });
  });

  test('for five days disables its endpoint, which says why', async () => {
    const fixture = new MessageFixture({ gatherMs: 0 });
    const silence = { kind: 'retry', because: 'Telegram did not answer in time', afterMs: null } as const;
    fixture.outcomes.push(...Array.from({ length: 2000 }, () => silence));
    await fixture.bets();
    for (let hour = 0; hour < 5 * 24; hour += 1) {
      await fixture.round();
      expect(fixture.disabledBecause).toBeNull();
      fixture.clock.tick(HOUR * 1000);
    }
    await fixture.round();
    expect(fixture.disabledBecause).toBe('Nothing was delivered for five days: Telegram did not answer in time.');
  });

  test('because a person blocked the bot disables at once, and is kept', async () => {
    const fixture = new MessageFixture({ gatherMs: 0 });
    fixture.outcomes.push({ kind: 'gone', because: 'Telegram answered 403: Forbidden: bot was blocked by the user' });
    await fixture.bets();
    await fixture.passes(1);
    expect(fixture.disabledBecause).toBe('Telegram answered 403: Forbidden: bot was blocked by the user.');
    fixture.restart();
    expect(await fixture.passes(10)).toEqual([ARSENAL]);
  });

  test('because the group was renamed goes there, as do later ones', async () => {
    const fixture = new MessageFixture({ gatherMs: 0 });
    fixture.outcomes.push({ kind: 'moved', chatId: '-100' });
    await fixture.bets();
    await fixture.passes(5);
    await fixture.bets();
    await fixture.passes(5);
    expect(fixture.chats).toEqual(['1', '-100', '-100']);
    expect(fixture.delivered).toHaveLength(2);
  });

  test('because it is too long is shortened, with a count of omissions', async () => {
    const fixture = new MessageFixture();
    fixture.outcomes.push({ kind: 'too_long', because: 'Telegram answered 413' });
    for (let n = 0; n < 60; n += 1) await fixture.bets();
    const [text] = await fixture.passes(30);
    expect(text?.length).toBeLessThanOrEqual(2048);
    expect(text).toMatch(/\nand \d+ more$/);
  });

  test('because nobody could read it is recorded, and the next is sent', async () => {
    const fixture = new MessageFixture({ gatherMs: 0 });
    fixture.outcomes.push({ kind: 'refused', because: 'Telegram answered 400: Bad Request' });
    await fixture.bets();
    await fixture.passes(5);
    expect(fixture.givenUp).toEqual([expect.stringMatching(/^\d+ Telegram answered 400: Bad Request$/)]);
    await fixture.bets({ marketId: 'Chelsea' as MarketId });
    expect(await fixture.passes(5)).toEqual([ARSENAL.replace('Arsenal', 'Chelsea')]);
  });

  test('because the process died before that was noted is sent once more', async () => {
    const fixture = new MessageFixture({ gatherMs: 0 });
    await fixture.bets();
    const { store } = fixture.store;
    fixture.store.store = async () => {
      throw new Error('killed');
    };
    await expect(fixture.round()).rejects.toThrow('killed');
    fixture.store.store = store;
    fixture.restart();
    await fixture.passes(5);
    expect(fixture.delivered.map(({ text }) => text)).toEqual([ARSENAL, ARSENAL]);
  });
});

test('events deleted before they could be sent are reported as deleted', async () => {
  const fixture = new MessageFixture({ gatherMs: 0 });
  await fixture.bets();
  fixture.clock.tick(1000);
  await fixture.ledger.log.forget(new Date('2100-01-01'));
  const [text] = await fixture.passes(5);
  expect(text).toMatch(/^Events 1 to \d+ were deleted before they could be sent\.$/m);
});

describe('the daily summary', () => {
  test('comes once a day at its time, even after restarts', async () => {
    const fixture = new MessageFixture({ summaryAt: '12:05' });
    await fixture.bets();
    expect(await fixture.passes(290)).toEqual([ARSENAL]);
    const [summary, ...more] = await fixture.passes(60);
    expect(more).toEqual([]);
    expect(summary?.split('\n')).toEqual([
      'Daily summary, 2026-03-01',
      'Paper: profit 0.00 USDC, equity 1,000.00 USDC. 1 fill, 0 orders settled. 1 open position, 10.00 USDC at risk.',
      'No alarms.',
    ]);
    fixture.restart();
    expect(await fixture.passes(60)).toEqual([]);
    fixture.clock.tick((24 * HOUR - 120) * 1000);
    expect(await fixture.passes(60)).toEqual([expect.stringContaining('Daily summary, 2026-03-02')]);
  });

  test('that could not be sent is sent later', async () => {
    const fixture = new MessageFixture({ summaryAt: '12:00', quietHours: { from: '12:00', to: '13:00' } });
    fixture.person = { ...fixture.person, createdAt: new Date('2026-02-01') };
    fixture.outcomes.push({ kind: 'retry', because: 'Telegram answered 502', afterMs: 30_000 });
    expect(await fixture.passes(30)).toEqual([]);
    expect(await fixture.passes(5)).toEqual([expect.stringContaining('Daily summary')]);
  });
});

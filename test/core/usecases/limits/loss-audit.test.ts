import { describe, expect, it, test } from 'vitest';
import type { Counted, KeptLosses, LossMarks } from '../../../../src/core/limits/counted.js';
import type { Usdc } from '../../../../src/core/money.js';
import type { Ledger } from '../../../../src/ports/ledger.js';
import { audited, found } from '../../../support/audited.js';
import { ALICE, usdc } from '../../../support/builders.js';
import { seenAs } from '../../../support/seen-as.js';
import { fixture, SECOND } from './losses-fixture.js';

const DAY = 24 * 3600 * SECOND;

/** The ledger with the account measured from something else. */
const measuredFrom = (ledger: Ledger, change: (marks: LossMarks) => KeptLosses) =>
  seenAs(ledger, {
    read: (scope, look) =>
      ledger.read(scope, (now) => {
        const { paper } = now.account.losses ?? {};
        return look(paper === undefined ? now : { ...now, account: { ...now.account, losses: change(paper) } });
      }),
  });

/** The ledger with something else counted of its cash on paper. */
const countedAs = (ledger: Ledger, change: (counted: Counted) => Counted) =>
  seenAs(ledger, {
    findBalance: async (...of) => {
      const balance = await ledger.findBalance(...of);
      return balance?.counted && { ...balance, counted: change(balance.counted) };
    },
  });

/** The losses of an account in its events. */
async function lossesOf(ledger: Ledger) {
  const events = await ledger.log.list(ALICE, { types: ['losses.measured'] }, { limit: 100 });
  return events.flatMap(({ subject }) => (subject.kind === 'losses' ? [subject.measured] : []));
}

/** Two days of trading: 12 were won on the first, and 3 lost on the second. */
async function twoDays() {
  const it = await fixture({ dailyLossUsdc: usdc('50'), drawdownUsdc: usdc('20') });
  await it.loses(-12);
  await it.watch();
  it.clock.tick(DAY);
  await it.loses(3);
  await it.watch();
  return it;
}

describe('What losses are measured from', () => {
  it('is logged daily and at peaks a tenth of the drawdown higher', async () => {
    const it = await fixture({ dailyLossUsdc: usdc('50'), drawdownUsdc: usdc('20') });
    const peaks = async () => (await lossesOf(it.trader.ledger)).filter(({ paper }) => paper).map(({ peak }) => peak);
    expect(await peaks()).toEqual([usdc('0')]);
    await it.loses(-1);
    await it.watch();
    expect(await peaks()).toEqual([usdc('0')]);
    await it.loses(-2);
    await it.watch();
    expect(await peaks()).toEqual([usdc('0'), usdc('3')]);
    for (const day of ['2026-03-02', '2026-03-03']) {
      it.clock.tick(DAY);
      await it.watch();
      expect((await lossesOf(it.trader.ledger)).findLast(({ paper }) => paper)).toEqual({
        paper: true,
        day,
        start: usdc('3'),
        peak: usdc('3'),
      });
    }
  });

  it('is logged when a loss limit changes or a paper account resets', async () => {
    const it = await twoDays();
    const last = async () => (await lossesOf(it.trader.ledger)).findLast(({ paper }) => paper);
    await it.set({ drawdownUsdc: null });
    expect(await last()).toMatchObject({ day: '2026-03-02', start: usdc('12'), peak: null });
    await it.set({ drawdownUsdc: usdc('40') });
    expect(await last()).toMatchObject({ day: '2026-03-02', start: usdc('12'), peak: usdc('9') });
    await it.trader.use.accounts.resetPaper.execute({ by: ALICE, account: ALICE, idempotencyKey: null });
    expect(await last()).toEqual({ paper: true, day: '', start: 0n, peak: null });
    expect(await found(it.trader.ledger)).toEqual([]);
  });

  test.each<[string, (marks: LossMarks) => KeptLosses, string]>([
    [
      'the start of the day',
      (marks) => ({
        paper: { ...marks, days: marks.days.map((one) => ({ ...one, start: (one.start - 1n) as Usdc })) },
      }),
      'start of the day',
    ],
    [
      'the day',
      (marks) => ({ paper: { ...marks, days: marks.days.map((one) => ({ ...one, day: '2026-03-03' })) } }),
      'The day of which losses are measured',
    ],
    ['a lower peak', (marks) => ({ paper: { ...marks, peak: usdc('11.999999') } }), 'The peak of the gain'],
    ['a peak a tenth higher', (marks) => ({ paper: { ...marks, peak: usdc('14') } }), 'The peak of the gain'],
    ['no peak', (marks) => ({ paper: { ...marks, peak: null } }), 'The peak of the gain'],
    ['nothing at all', () => ({}), 'on record none'],
  ])('is found to be wrong by the audit: %s', async (_, change, words) => {
    const { trader } = await twoDays();
    expect(await found(trader.ledger)).toEqual([]);
    const wrong = measuredFrom(trader.ledger, change);
    const findings = (await audited(wrong)).flatMap((one) => one.findings);
    expect(findings.map(({ check }) => check)).toContain('losses');
    expect(findings.map(({ message }) => message).join('\n')).toContain(words);
  });
});

describe('What is counted for the limits', () => {
  test.each<[string, (counted: Counted) => Counted, string]>([
    ['booked', (counted) => ({ ...counted, booked: (counted.booked + 1n) as Usdc }), 'booked account'],
    [
      'spent',
      (counted) => ({
        ...counted,
        days: counted.days.map((one, n) => (n > 0 ? one : { ...one, spent: (one.spent - 1n) as Usdc })),
      }),
      'spent account',
    ],
  ])('is found wrong by the audit: %s, off by a millionth', async (_, change, name) => {
    const { trader } = await twoDays();
    expect(await found(trader.ledger)).toEqual([]);
    expect(await found(countedAs(trader.ledger, change))).toEqual([name]);
  });

  it('is found wrong by the audit: the day of spending', async () => {
    const { trader } = await twoDays();
    const moved = (counted: Counted) => ({
      ...counted,
      days: counted.days.map((one, n) => (n > 0 ? one : { ...one, day: '2026-03-05' })),
    });
    // Nothing was spent on that day, and the day on which it was is not kept.
    expect(await found(countedAs(trader.ledger, moved))).toEqual(['spent account', 'spent account']);
  });

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin'])(
    'is right in the days of zone %s, unknown to the audit',
    async (zone) => {
      const it = await fixture({ dailyLossUsdc: usdc('50') }, { zone, at: '2026-03-28T09:30:00.000Z' });
      for (let hour = 0; hour < 30; hour += 1) {
        await it.loses(-1);
        it.clock.tick(3600 * SECOND);
        expect(await found(it.trader.ledger)).toEqual([]);
      }
    },
  );
});

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { probeKalshi } from '../../../src/adapters/kalshi/probe.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';

const TICKER = 'KXNFLGAME-27JAN16OTTBAD-BAD';
const keyFile = keyFileOf(ED25519_KEY);

let venue: FakeKalshi;
beforeEach(async () => {
  venue = await FakeKalshi.start();
  venue.account.liquidity.set(TICKER, { bids: [['0.4700', '30.00']], asks: [['0.5200', '30.00']] });
  venue.books.set(TICKER, { yes: [['0.4700', '30.00']], no: [['0.4800', '30.00']] });
});
afterEach(() => venue.stop());

/** What was asked, and what was answered. */
async function probed(): Promise<ReadonlyMap<string, string>> {
  const { api, socket } = venue;
  const signer = await ApiKeyFile.open(ED25519_KEY.id, keyFile);
  const settings = { environment: 'demo', api, socket, keyId: ED25519_KEY.id, keyFile, series: ['KXNFLGAME'] } as const;
  const answers = new Map<string, string>();
  for await (const { question, answer } of probeKalshi(settings, signer)) answers.set(question, answer);
  return answers;
}

const IS_USED_UP = '1. Whether a refused order uses up its id';

describe('what is asked of a demo of Kalshi', () => {
  test('is answered as the venue behaves', async () => {
    const answers = await probed();
    expect(Object.fromEntries(answers)).toMatchObject({
      'The market asked': TICKER,
      [IS_USED_UP]: 'refused: invalid_price: invalid price; the same id with a valid body: taken, 0 filled',
      '3. The same id with another body': 'first taken, 0 filled; then refused: the order already exists',
      '4. What a fill costs, and how exactly the account is kept':
        '0.01 at 0.52, fee_cost 0.0002; the balance fell by 0.0054',
      '6. Whether a read by its id shows an order': 'yes, as resting on shard 0',
      '8. How far a clock may be off': expect.stringMatching(/^10 s ahead and (5|10) s behind are taken/),
      '9. Whether get_snapshot sends a book anew': 'yes; seq 1, then 2',
      'What of these orders still rests': 'nothing',
      '12. The rates of fees': 'KXNFLGAME: taker 0.07, maker 0.0175',
    });
    expect(answers.get('7. What the channels of the account told, in order')).toContain('fill, user_order');
  });

  test('is answered otherwise where the venue behaves otherwise', async () => {
    venue.account.usesUpRefused = true;
    const answers = await probed();
    expect(answers.get(IS_USED_UP)).toBe(
      'refused: invalid_price: invalid price; the same id with a valid body: refused: the order already exists',
    );
  });

  test('leaves no order behind, and costs less than a cent', async () => {
    const before = venue.account.cash;
    await probed();
    expect(venue.account.orders.length).toBeGreaterThan(3);
    expect(venue.account.orders.filter(({ status }) => status === 'resting')).toEqual([]);
    expect(before - venue.account.cash).toBeLessThanOrEqual(10_000n);
  });

  test('leaves no order behind where the connection is lost in between', async () => {
    venue.vanish.push('request', 'answer');
    await probed();
    expect(venue.account.orders.filter(({ status }) => status === 'resting')).toEqual([]);
  });

  test('sends no order where no market has an offer above a cent', async () => {
    venue.books.clear();
    expect((await probed()).get('Orders')).toContain('not asked: no open market');
    expect(venue.account.orders).toEqual([]);
  });
});

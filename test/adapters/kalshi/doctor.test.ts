import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examineKalshi } from '../../../src/adapters/kalshi/doctor.js';
import { ApiKeyFile } from '../../../src/adapters/kalshi/http/api-key.js';
import { ED25519_KEY, keyFileOf } from '../../support/fake-kalshi/keys.js';
import { limitsOf } from '../../support/fake-kalshi/records.js';
import { FakeKalshi } from '../../support/fake-kalshi/venue.js';

let venue: FakeKalshi;
beforeEach(async () => {
  venue = await FakeKalshi.start();
});
afterEach(() => venue.stop());

async function examined() {
  const keyFile = keyFileOf(ED25519_KEY);
  const signer = await ApiKeyFile.open(ED25519_KEY.id, keyFile);
  const { api, socket } = venue;
  const settings = { environment: 'demo', api, socket, keyId: ED25519_KEY.id, keyFile, series: [] } as const;
  const { checks, collateral } = await examineKalshi(settings, signer);
  return { collateral, said: checks.map(({ level, words }) => `${level}: ${words}`) };
}

describe('the doctor at Kalshi', () => {
  test('finds an account that can trade well, with its cash', async () => {
    const { collateral, said } = await examined();
    expect(said.filter((line) => !line.startsWith('ok: '))).toEqual([]);
    expect(collateral).toBe(venue.account.cash);
    expect(said).toContainEqual('ok: The account has 100 dollars at the venue.');
  });

  test.each<readonly [string, (fake: FakeKalshi) => void, string]>([
    ['a clock that is off', (fake: FakeKalshi) => (fake.skewMs = 60_000), 'warning: The clock of this machine is'],
    [
      'a pause',
      (fake: FakeKalshi) => (fake.status = { ...fake.status, trading_active: false }),
      'warning: The venue has paused',
    ],
    [
      'a key that only reads',
      (fake: FakeKalshi) => (fake.keyRecord = { scopes: ['read'] }),
      'missing: The key may not trade (read)',
    ],
    [
      'an attestation that lapsed',
      (fake: FakeKalshi) => (fake.attestedUntil = 1_700_000_000),
      'missing: The attestation of the location lapsed on 2023-11-14',
    ],
    ['an account without cash', (fake: FakeKalshi) => (fake.account.cash = 0n), 'missing: The account has 0 dollars'],
    [
      'a key of the other exchange',
      (fake: FakeKalshi) => (fake.key = { ...fake.key, id: 'another' }),
      'missing: The demo of the venue does not take the key',
    ],
  ])('tells %s', async (_, change, said) => {
    change(venue);
    expect((await examined()).said).toContainEqual(expect.stringContaining(said));
  });

  test.each<readonly [string, (fake: FakeKalshi) => void, string]>([
    [
      'the lowest tier',
      () => {},
      'ok: The account is of tier basic, with 200 tokens a second to read and 100 to write: at most 6 orders, 20 cancellations and 8 reads a second.',
    ],
    [
      'a higher tier',
      (fake) => (fake.limits = limitsOf('expert', 600, '600')),
      'ok: The account is of tier expert, with 600 tokens a second to read and 600 to write: at most 36 orders, 120 cancellations and 26 reads a second.',
    ],
    [
      'an allowance that cannot be true',
      (fake) => (fake.limits = limitsOf('expert', 600, 0)),
      'warning: The account is of tier expert, but the venue tells no usable allowance of writes: there what the lowest tier allows is kept to, at most 6 orders, 20 cancellations and 26 reads a second.',
    ],
    [
      'that the venue does not tell',
      (fake) => fake.faults.push({ path: '/account/limits', status: 403, body: '{}' }),
      'warning: The venue does not tell what it allows the account (refused, status 403): what the lowest tier allows is kept to, at most 6 orders, 20 cancellations and 8 reads a second.',
    ],
  ])('says how much is sent: %s', async (_, change, said) => {
    change(venue);
    expect((await examined()).said).toContain(said);
  });

  test('K15: warns of a shard without cash, where orders for its markets are refused', async () => {
    venue.account.shards = { 0: 0n, 2: 100_000_000n };
    expect((await examined()).said).toContain(
      'warning: The account has 100 dollars at the venue (0 on shard 0, 100 on shard 2: an order needs its cash on the shard of its market).',
    );
    venue.account.shards = { 0: 40_000_000n, 2: 60_000_000n };
    expect((await examined()).said).toContainEqual(expect.stringMatching(/^ok: .*40 on shard 0, 60 on shard 2/));
  });

  test('says where nothing answers', async () => {
    const { api } = venue;
    await venue.stop();
    const where = expect.stringContaining(`missing: ${api.origin} does not return its time`);
    venue = await FakeKalshi.start();
    const settings = { environment: 'demo', api, socket: api, keyId: 'k', keyFile: 'k', series: [] } as const;
    const signer = { keyId: 'k', sign: () => 'signed' };
    const { checks } = await examineKalshi(settings, signer);
    expect(checks.map(({ level, words }) => `${level}: ${words}`)).toEqual([where]);
  });
});

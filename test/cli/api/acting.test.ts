import { describe, expect, it } from 'vitest';
import { allOrders, until } from '../../e2e/trading.js';
import { STRATEGIES } from '../../support/app.js';
import { aTraderEach, BUY, GAME } from './fixture.js';
import { against, asked, person, stakeport } from './remote.js';

const trader = aTraderEach();
const RESTING = ['buy', 'derby-slug', 'YES', '--usdc', '10', '--price', '0.4', '--yes'] as const;

describe('cancel', () => {
  it('ends an order, and reports a finished one as too late', async () => {
    const { out } = await stakeport(...RESTING, '--json');
    const { id } = JSON.parse(out);
    expect(await stakeport('cancel', id.slice(-8))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^status +cancelled$/m),
      err: '',
    });
    const filled = JSON.parse((await stakeport(...BUY, '--yes', '--json')).out);
    const late = await stakeport('cancel', filled.id, '--json');
    expect({ code: late.code, error: JSON.parse(late.err) }).toMatchObject({
      code: 1,
      error: { exit: 1, problem: { type: '/problems/order-not-cancellable' } },
    });
    expect(await stakeport('cancel')).toMatchObject({ code: 64 });
    expect(await stakeport('cancel', id, '--all')).toMatchObject({ code: 64 });
  });

  it('--all ends all working paper orders once a person confirms their number', async () => {
    for (const price of ['0.3', '0.4']) await stakeport(...RESTING, '--price', price);
    expect(await stakeport('cancel', '--all')).toMatchObject({ code: 64 });
    expect(await asked(person('no'), 'cancel', '--all')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^working orders +2$/m),
    });
    const said = await asked(person('y'), 'cancel', '--all', '--json');
    const orders = said.out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(orders.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
    expect(await stakeport('cancel', '--all', '--live', '--yes')).toMatchObject({
      code: 0,
      out: 'No order was cancelled: none was working.\n',
    });
  });
});

describe('approve and reject', () => {
  async function waiting(): Promise<string> {
    const rules = { outcome: { label: 'Home' }, sizing: { method: 'flat', value: 10 } };
    const strategy = {
      name: 'ask me',
      sport: 'soccer',
      bankroll_cap: 1000,
      stake_cap: 50,
      automation: 'approve',
      rules,
    };
    expect((await trader.now.client.post(STRATEGIES, strategy)).status).toBe(201);
    let found: { readonly data: readonly { readonly id: string }[] } = { data: [] };
    await until(async () => {
      found = (await trader.now.client.get('/v1/approvals?state=waiting')).json();
      return found.data.length === 1;
    });
    return `${found.data[0]?.id}`;
  }

  it('approve places the bet after confirmation, and real money must be named', async () => {
    const id = await waiting();
    expect(await stakeport('approve', id, '--live', '--yes')).toMatchObject({
      code: 64,
      err: expect.stringMatching(/This bet is on paper: leave --live out/),
    });
    const said = await asked(person('y'), 'approve', id.slice(-8));
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^state +approved$/m) });
    expect(said.err).toMatch(/^at risk +9\.99375 USDC at most, the fee included/m);
    expect(await trader.now.onlyOrder()).toMatchObject({ status: 'filled', paper: true });
    const again = await stakeport('approve', id, '--yes', '--json');
    expect(JSON.parse(again.out)).toMatchObject({ id, state: 'approved' });
  });

  it('reject orders nothing', async () => {
    const id = await waiting();
    expect(await stakeport('reject', id.slice(-8))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^state +rejected$/m),
    });
    expect(await stakeport('approve', id, '--yes')).toMatchObject({ code: 1 });
    expect(await allOrders(trader.now.client)).toEqual([]);
    expect(await stakeport('reject', '00000000-0000-4000-8000-000000000000')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/stakeport approvals\n$/),
    });
  });
});

describe('halt, reduce and resume', () => {
  it('stop and resume trading, after a question stating the current state', async () => {
    await stakeport(...RESTING);
    const halted = await asked(person('y'), 'halt', '--cancel', '--reason', 'odd prices');
    expect(halted).toMatchObject({ code: 0, out: expect.stringMatching(/^cancelled +1$/m) });
    expect(halted.err).toMatch(/^Nothing stops trading now\.$/m);
    expect(await stakeport(...BUY, '--yes')).toMatchObject({ code: 1, err: expect.stringMatching(/trading_halted/) });
    const reduced = JSON.parse((await stakeport('reduce', '--yes', '--json')).out);
    expect(reduced).toMatchObject({ scope: 'account', state: 'reducing' });
    const resumed = await asked(person('y'), 'resume');
    expect(resumed.err).toMatch(/^account +reducing +all /m);
    expect(resumed).toMatchObject({ code: 0, out: expect.stringMatching(/^state +active$/m) });
    expect(await stakeport('halt')).toMatchObject({ code: 64 });
    expect(await stakeport('halt', '--scope', 'everything', '--yes')).toMatchObject({
      code: 64,
      err: expect.stringMatching(/^scope must be service, account/),
    });
  });

  it('resume needs its scope, and says so', async () => {
    against({
      STAKEPORT_URL: trader.now.fixture.url,
      STAKEPORT_KEY: await trader.now.fixture.key(trader.now.account, 'orders:read', 'orders:cancel'),
    });
    expect(await stakeport('halt', '--yes')).toMatchObject({ code: 0 });
    expect(await stakeport('resume', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/risk:write\. It is not among those of STAKEPORT_KEY/),
    });
  });
});

describe('signals put', () => {
  const PUT = ['signals', 'put', 'elo-2', 'derby-slug'] as const;
  /** On a tape the time is that of the tape. */
  const WHEN = ['--expires', '2026-03-01T13:00:00Z'] as const;

  it('stores what a model says, and shows both outcomes', async () => {
    const said = await stakeport(...PUT, 'home=0.57', ...WHEN, '--source', 'ratings');
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^Home +0\.57\nAway +0\.43$/m) });
    const json = await stakeport(...PUT, 'home=0.57', ...WHEN, '--json');
    expect(json.out).toBe(`${(await trader.now.client.get(`/v1/signals/elo-2/${GAME.id}`)).text}\n`);
  });

  it.each<[string[], number, RegExp]>([
    [['home'], 64, /such as Home=0\.57\. Nothing was sent\./],
    [['home=0.5', 'home=0.6'], 64, /Say each outcome once/],
    [['draw=0.5'], 64, /^probabilities\/draw .* See --help/],
  ])('refuses %j', async (said, code, words) => {
    expect(await stakeport(...PUT, ...said, ...WHEN)).toMatchObject({ code, err: expect.stringMatching(words) });
  });
});

import { describe, expect, it } from 'vitest';
import { until } from '../../e2e/trading.js';
import { aTraderEach, BUY } from './fixture.js';
import { asked, person, stakeport } from './remote.js';
import { REMOTE_CALLS } from './remote-calls.js';

const trader = aTraderEach();
const [, , SIGNALS = ''] = REMOTE_CALLS['stakeport signals import'] ?? [];

describe('limits set', () => {
  it('changes the limits that are named, after a person saw how', async () => {
    const said = await asked(person('y'), 'limits', 'set', 'order_usdc=25', 'open_orders=20');
    expect(said.err).toMatch(/^order_usdc +none → 25$/m);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^order_usdc +One order +25 +–$/m) });
    await stakeport('limits', 'set', 'order_usdc=none', '--yes');
    expect((await trader.now.client.get('/v1/limits')).json()).toMatchObject({ order_usdc: null, open_orders: 20 });
  });

  it.each([
    [['order_usd=25'], /no limit order_usd\. Did you mean order_usdc\? Nothing was done\./],
    [['x=25'], /They are order_usdc, /],
    [['order_usdc=much'], /order_usdc takes an amount, such as 25, or none/],
    [['open_orders=1.5'], /open_orders takes a whole number/],
    [['order_usdc=1', 'order_usdc=2'], /Name each limit once/],
  ])('refuses %j', async (said, words) => {
    expect(await stakeport('limits', 'set', ...said, '--yes')).toMatchObject({
      code: 64,
      err: expect.stringMatching(words),
    });
  });
});

describe('status, positions, history and alarms', () => {
  it('tell what needs a person first, then money', async () => {
    await stakeport(...BUY, '--yes');
    expect((await stakeport('status')).out).toMatch(/^Nothing needs you\.\n\nmoney +PAPER\n/);
    await stakeport('halt', '--yes', '--reason', 'odd prices');
    const { out } = await stakeport('status');
    expect(out).toMatch(/^halted +account: odd prices, by .*stakeport resume\n/);
    expect(out).toMatch(/^positions +1$/m);
    const { trading, portfolio } = JSON.parse((await stakeport('status', '--json')).out);
    expect({ trading, portfolio }).toMatchObject({ trading: { effective: 'halted' }, portfolio: { paper: true } });
  });

  it('list what is held, and what became of bets, by game and outcome', async () => {
    await stakeport(...BUY, '--yes');
    expect((await stakeport('positions')).out).toMatch(/^derby: Home +23\.33 /m);
    await until(async () => (await stakeport('history')).out.includes('derby: Home'));
    expect((await stakeport('history', '--market', 'wins derby', '--result', 'won')).out).toBe('No bets.\n');
    expect((await stakeport('history', '--equity')).out).toMatch(/^(AT +CASH|Nothing is on record yet)/);
    expect((await stakeport('alarms')).out).toBe('Nothing is wrong.\n');
  });
});

describe('signals list, import and delete', () => {
  it('store what a file has, list and remove it', async () => {
    expect(await stakeport('signals', 'import', SIGNALS)).toMatchObject({
      code: 0,
      out: '1 signals of elo are stored.\n',
    });
    expect((await stakeport('signals', 'list')).out).toMatch(/^elo .*Who wins the derby\? +Home 0\.57, Away 0\.43 /m);
    expect((await stakeport('signals', 'delete', 'elo', 'derby-slug')).code).toBe(0);
    expect((await stakeport('signals', 'list', '--name', 'elo')).out).toBe('No signals.\n');
    expect(await stakeport('signals', 'delete', 'elo', 'derby-slug')).toMatchObject({
      code: 1,
      err: 'elo says nothing of this market. See: stakeport signals list\n',
    });
  });

  it.each([
    ['market_id,outcome\nx,Home\n', /The first line has no column probability\./],
    ['market_id,outcome,probability\n', /There is no row below the line of names\./],
    ['market_id,outcome,probability\nx,Home,0.5\n', /Row 1 has no name\./],
    ['name,market_id,outcome,probability\ne,x,Home,0.5\n', /Row 1 has no expires_at\./],
    ['name,market_id,outcome,probability,expires_at\ne,x,Home,0.5,soon\n', /Row 1, expires_at: It takes a moment/],
  ])('refuse %j, and send nothing', async (text, words) => {
    expect(await asked(person(text), 'signals', 'import', '-')).toMatchObject({
      code: 64,
      err: expect.stringMatching(words),
    });
  });
});

describe('paper reset', () => {
  it('gives the account its opening cash, after a question', async () => {
    await stakeport(...BUY, '--yes');
    expect(await stakeport('paper', 'reset')).toMatchObject({ code: 64 });
    expect(await asked(person('n'), 'paper', 'reset')).toMatchObject({ code: 1 });
    const said = await asked(person('y'), 'paper', 'reset');
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^cash +\d+ USDC$/m) });
    expect((await stakeport('positions')).out).toBe('No open positions.\n');
  });
});

describe('A market by words', () => {
  it('is the one that has them', async () => {
    expect((await stakeport('market', 'wins', '--json')).out).toContain('"derby-slug"');
    expect((await stakeport('book', 'who wins', '--outcome', 'home')).code).toBe(0);
    const bought = await stakeport('buy', 'who wins', 'Home', '--shares', '10', '--odds', '1.9', '--yes', '--json');
    expect(JSON.parse(bought.out)).toMatchObject({ price: '0.52', shares: '10' });
    expect(await stakeport('market', 'no such words')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No market matches/),
    });
  });

  it('and a sale of all that is held at the best bid', async () => {
    await stakeport(...BUY, '--yes');
    const sold = await stakeport('sell', 'derby-slug', 'Home', '--all', '--max-slippage', '0.02', '--yes', '--json');
    expect(JSON.parse(sold.out)).toMatchObject({ price: '0.47', shares: '23.33', time_in_force: 'FAK' });
    expect(await stakeport('sell', 'derby-slug', 'Home', '--all', '--price', '0.4', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No share of it is free to sell: there are none\./),
    });
  });
});

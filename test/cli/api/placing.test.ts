import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { allOrders } from '../../e2e/trading.js';
import { ORDERS } from '../../support/app.js';
import { aTraderEach, BUY, GAME } from './fixture.js';
import { against, asked, person, stakeport } from './remote.js';

/** A line to a server that breaks as soon as an answer comes back: what was asked is done, and nobody hears of it. */
async function cutAnswers(target: string): Promise<{ readonly url: string; close(): void }> {
  const { port, hostname } = new URL(target);
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.once('data', () => {
      client.destroy();
      upstream.destroy();
    });
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, close: () => server.close() };
}

const trader = aTraderEach();
describe('buy and sell', () => {
  it('ask a person with every figure, and place the order on paper', async () => {
    const alicia = person('y');
    const said = await asked(alicia, ...BUY);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^money +PAPER$/m) });
    // 23.33 shares at 0.6 are 13.998; the fee is 23.33 × 0.05 × 0.6 × 0.4 there, and 0.29163 at 0.5, where it is highest.
    expect(said.err.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      'order: PAPER, BUY Home (YES)',
      'market: derby: Who wins the derby?',
      'stake: 14 USDC for 23.33 shares or more',
      'fee: at most 0.291645 USDC',
      'at risk: 14.27798 USDC: all of it is lost if Home (YES) does not win',
      'worst price: 0.6 USDC a share',
      '',
    ]);
    expect(alicia.questions).toEqual(['Place it? [y/N] ']);
    expect(await trader.now.onlyOrder()).toMatchObject({
      status: 'filled',
      paper: true,
      side: 'BUY',
      filled_shares: '23.33',
    });
    const sold = await asked(
      person('yes'),
      'sell',
      'derby-slug',
      'home',
      '--usdc',
      '4',
      '--price',
      '0.45',
      '--time-in-force',
      'fak',
    );
    expect(sold.err).toMatch(/^sale +8\.88 shares that you hold, for 3\.996 USDC or more$/m);
    expect(sold.out).toMatch(/^order +SELL derby: Home$/m);
  });

  it('place nothing when the user declines or no terminal is available', async () => {
    expect(await asked(person('n'), ...BUY)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\nNothing was done\.\n$/),
    });
    expect(await stakeport(...BUY)).toMatchObject({
      code: 64,
      err: expect.stringMatching(/^Nobody can be asked here .* --yes .*Nothing was done\.\n$/),
    });
    expect(await allOrders(trader.now.client)).toEqual([]);
  });

  it('place an order with real money only when that is explicit', async () => {
    const said = await asked(person('y'), ...BUY, '--live');
    expect(said.err).toMatch(/^order +LIVE: real money, BUY Home \(YES\)$/m);
    expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/\nNo live order was sent: .*\n$/) });
    expect(await allOrders(trader.now.client)).toEqual([]);
  });

  it('say in JSON what the API says', async () => {
    const said = await stakeport(...BUY, '--yes', '--json');
    const { id } = await trader.now.onlyOrder();
    expect(said).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(said.out)).toEqual((await trader.now.client.get(`${ORDERS}/${id}`)).json());
  });

  it('show a refused order with code and remedy, and exit unsuccessfully', async () => {
    const said = await stakeport('buy', GAME.id, 'NO', '--usdc', '200000', '--price', '0.6', '--yes');
    expect(said).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^status +denied$/m),
      err: expect.stringMatching(/^The order is denied: insufficient_balance: .*\/refusals says what to do\.\n$/),
    });
  });

  it.each<[string, string[], number, RegExp]>([
    [
      'an outcome that the market does not have',
      ['derby-slug', 'Draw', '--usdc', '1', '--price', '0.5'],
      64,
      /no outcome Draw\. Say one of: YES, NO, Home, Away\./,
    ],
    [
      'a market that is not there',
      ['nothing', 'Home', '--usdc', '1', '--price', '0.5'],
      1,
      /shows no market nothing\. Find it with/,
    ],
    [
      'the same, as the server refuses it',
      ['nothing', 'YES', '--usdc', '1', '--price', '0.5'],
      1,
      /Find it with: stakeport markets WORDS$/,
    ],
    [
      'a price that is none',
      ['derby-slug', 'YES', '--usdc', '1', '--price', '57'],
      64,
      /It takes a price above 0 and below 1/,
    ],
    [
      'no amount',
      ['derby-slug', 'YES', '--price', '0.5'],
      64,
      /^error: say the size by --usdc or --shares\. See stakeport buy --help$/,
    ],
    [
      'terms that exclude each other',
      ['derby-slug', 'YES', '--usdc', '9', '--price', '0.5', '--time-in-force', 'FOK', '--post-only'],
      64,
      /^post_only .* See --help$/,
    ],
    [
      'an unknown strategy',
      ['derby-slug', 'YES', '--usdc', '9', '--price', '0.5', '--strategy', '00000000-0000-4000-8000-000000000000'],
      1,
      /stakeport strategies$/,
    ],
  ])('refuse %s in one line', async (_, args, code, words) => {
    const said = await stakeport('buy', ...args, '--yes');
    expect(said.code).toBe(code);
    expect(said.err.trimEnd()).toMatch(words);
    expect(said.err.trimEnd().split('\n')).toHaveLength(1);
    expect(await allOrders(trader.now.client)).toEqual([]);
  });
});

describe('a lost answer of buy', () => {
  it('names the key with which a repeat makes no second order', async () => {
    const line = await cutAnswers(trader.now.fixture.url);
    against({ STAKEPORT_URL: line.url, STAKEPORT_KEY: trader.now.key });
    const lost = await stakeport('buy', 'derby-slug', 'YES', '--usdc', '14', '--price', '0.6', '--yes');
    line.close();
    expect(lost).toMatchObject({ code: 2, out: '' });
    const [, again = ''] =
      /it is not known whether it was done\. Run the same with --key (\S+) to learn/.exec(lost.err) ?? [];
    const { id } = await trader.now.onlyOrder();
    against({ STAKEPORT_URL: trader.now.fixture.url, STAKEPORT_KEY: trader.now.key });
    const told = await stakeport('buy', 'derby-slug', 'YES', '--usdc', '14', '--price', '0.6', '--yes', '--key', again);
    expect(told).toMatchObject({ code: 0, out: expect.stringContaining(`${id}`), err: expect.stringContaining(again) });
    expect(await trader.now.onlyOrder()).toMatchObject({ id });
    const other = await stakeport(
      'buy',
      'derby-slug',
      'YES',
      '--usdc',
      '15',
      '--price',
      '0.6',
      '--yes',
      '--key',
      again,
    );
    expect(other).toMatchObject({ code: 64, err: expect.stringMatching(/Leave --key out for something new\.\n$/) });
    expect(await trader.now.onlyOrder()).toMatchObject({ id });
  });

  it('is reported in JSON with the key, unlike a lost read', async () => {
    const line = await cutAnswers(trader.now.fixture.url);
    against({ STAKEPORT_URL: line.url, STAKEPORT_KEY: trader.now.key });
    const lost = await stakeport(
      'buy',
      GAME.id,
      'YES',
      '--usdc',
      '14',
      '--price',
      '0.6',
      '--yes',
      '--json',
      '--key',
      'mine',
    );
    expect({ code: lost.code, error: JSON.parse(lost.err) }).toMatchObject({
      code: 2,
      error: { exit: 2, key: 'mine' },
    });
    expect(await stakeport('orders')).toMatchObject({ code: 69, err: expect.stringMatching(/Run the same again/) });
    line.close();
  });
});

describe('sell --all without a market', () => {
  it('sells everything on paper after a review of each position', async () => {
    await stakeport(...BUY, '--yes');
    expect(await stakeport('sell', '--all')).toMatchObject({ code: 64 });
    expect(await stakeport('sell', '--all', '--price', '0.4', '--yes')).toMatchObject({
      code: 64,
      err: expect.stringMatching(/leave --price out, or say the market/),
    });
    const said = await asked(person('y'), 'sell', '--all');
    expect(said.err).toMatch(/^derby: Home +23\.33 +0\.49 +11\.\d+$/m);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/ SELL +derby: Home +0\.49 +23\.33 +23\.33 /) });
    expect((await trader.now.client.get('/v1/portfolio?paper=true')).json()).toMatchObject({ positions: [] });
    expect(await stakeport('sell', '--all', '--yes')).toMatchObject({ code: 0, out: 'Nothing was sold.\n' });
  });

  it('sells nothing with real money', async () => {
    expect(await stakeport('sell', '--all', '--live')).toMatchObject({
      code: 0,
      out: 'Nothing that is held with real money can be sold now.\n',
    });
  });
});

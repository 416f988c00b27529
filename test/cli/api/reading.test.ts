import { stripVTControlCharacters } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { idOf, until } from '../../e2e/trading.js';
import { ORDERS, STRATEGIES } from '../../support/app.js';
import type { Client } from '../../support/http.js';
import { aFixture, type Fixture, GAME } from './fixture.js';
import { against, stakeport } from './remote.js';

let [fixture, alice, key, order, strategy]: [Fixture, Client, string, string, string] = [] as never;

const RULES = { outcome: { label: 'Home' }, sizing: { method: 'flat', value: 10 } };

beforeAll(async () => {
  fixture = await aFixture();
  key = await fixture.key('alice');
  alice = fixture.client(key);
  await until(async () => (await alice.get('/v1/exchange/markets/derby-slug/book')).json()['fresh'] === true);
  const placed = { market_id: GAME.id, token: 'YES', price: 0.5, size_usdc: 20 };
  order = idOf(await alice.post(ORDERS, placed));
  strategy = idOf(
    await alice.post(STRATEGIES, {
      name: 'ホーム favourites',
      sport: 'soccer',
      bankroll_cap: 1000,
      stake_cap: 50,
      rules: RULES,
      automation: 'approve',
    }),
  );
  await until(async () => (await alice.get('/v1/approvals')).text.includes('"waiting"'));
});

beforeEach(() => against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: key }));

/** Each command that reads, the path that it reads, and what a person sees of it. */
const READS: readonly (readonly [args: () => string[], path: () => string, shown: readonly RegExp[]])[] = [
  [
    () => ['markets', 'wins', 'derby', '--sport', 'soccer'],
    () => '/v1/exchange/markets?text=wins+derby&sport=soccer',
    [
      /^MARKET +QUESTION +OUTCOMES +LEAGUE +KIND +STARTS +STATUS$/m,
      /^derby-slug +Who wins the derby\? +Home \/ Away +epl /m,
    ],
  ],
  [
    () => ['market', 'derby-slug'],
    () => '/v1/exchange/markets/derby-slug',
    [/^outcome YES +Home$/m, /^fee +0\.05 × \(price × \(1 − price\)\) a share/m],
  ],
  [
    () => ['book', GAME.id, '--outcome', 'no'],
    () => `/v1/exchange/markets/${GAME.id}/book?token=NO`,
    [/^ +1000 +0\.5 +0\.51 +1000$/m],
  ],
  [
    () => ['book', 'derby-slug', '--outcome', 'away'],
    () => `/v1/exchange/markets/derby-slug/book?token=NO`,
    [/^NO at /, /^ +1000 +0\.5 +0\.51 +1000$/m],
  ],
  [
    () => ['orders', '--status', 'filled', '--market', GAME.id, '--paper'],
    () => `${ORDERS}?status=filled&market_id=${GAME.id}&paper=true`,
    [
      /^ID +PLACED +MONEY +SIDE +OUTCOME +PRICE +SHARES AT LIMIT +FILLED +STATUS$/m,
      / {2}PAPER {2}BUY {3}derby: Home +0\.5 +40 +40 {2}filled$/m,
    ],
  ],
  [
    () => ['results', '--by', 'phase', '--bootstrap', '--settled-before', '2999-01-01T00:00:00Z'],
    () => '/v1/results?by=phase&paper=true&interval=bootstrap&settled_before=2999-01-01T00:00:00Z',
    [/^No bets\.$/m],
  ],
  [
    () => ['results', '--by', 'kind'],
    () => '/v1/results?by=kind&paper=true',
    [
      /^WHAT +VENUE +BETS +OPEN +EVENTS +TURNOVER +PROFIT +YIELD +95 % FROM +TO +WON +CLV$/m,
      /^\w+ +\w+ +0 +1 +0 +0 +-/m,
    ],
  ],
  [() => ['orders', '--live'], () => `${ORDERS}?paper=false`, [/^No orders\.\n$/]],
  [() => ['order', order], () => `${ORDERS}/${order}`, [/^money +PAPER$/m, /^filled +20 USDC, 40 shares$/m]],
  [
    () => ['order', order, '--events'],
    () => `${ORDERS}/${order}/events?limit=100`,
    [/^ +1 .* requested/m, /fill +.*shares 40/],
  ],
  [
    () => ['portfolio'],
    () => '/v1/portfolio?paper=true',
    [/^equity +\d+\.?\d* USDC$/m, /^derby: Home +40 +0\.5 +0\.49 +20 +19\.6 +-0\.4$/m],
  ],
  [() => ['portfolio', '--live'], () => '/v1/portfolio?paper=false', [/^money +LIVE$/m, /^No open positions\.$/m]],
  [
    () => ['limits'],
    () => '/v1/limits?paper=true',
    [/^LIMIT +IS OF +AT MOST +IN USE$/m, /^order_usdc +One order +– +–$/m],
  ],
  [
    () => ['strategies'],
    () => STRATEGIES,
    [/^[0-9a-f]{8} {2}ホーム favourites {2}soccer +approve +PAPER {2}no +1000 +50 +1$/m],
  ],
  [
    () => ['strategy', strategy],
    () => `${STRATEGIES}/${strategy}`,
    [/^name +ホーム favourites$/m, /^sizing +\{"method":"flat"/m],
  ],
  [
    () => ['decisions', strategy, '--verdict', 'bet'],
    () => `${STRATEGIES}/${strategy}/decisions?verdict=bet`,
    [/^(AT +VERDICT +OUTCOME +ODDS|No decisions)/m],
  ],
  [
    () => ['decisions', strategy, '--summary'],
    () => `${STRATEGIES}/${strategy}/decisions/summary`,
    [/^(HOUR +COUNT +CODE +WHY|It skipped nothing)/m],
  ],
  [() => ['approvals'], () => '/v1/approvals?state=waiting', [/ {2}waiting {2}.* derby: Home +0\.5/m]],
];

describe.each(READS)('%s', (args, path, shown) => {
  it(`${args().join(' ')} is a table, or the API’s answer with --json`, async () => {
    const table = await stakeport(...args());
    expect(table).toMatchObject({ code: 0, err: '' });
    for (const words of shown) expect(table.out).toMatch(words);
    const [json, api] = [await stakeport(...args(), '--json'), await alice.get(path())];
    expect(json).toMatchObject({ code: 0, err: '' });
    expect(steady(json.out)).toBe(steady(`${api.text}\n`));
  });
});

/** Without what moves with the time of the tape. */
const steady = (text: string): string =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/"count":\d+/g, '');

it('evaluate shows what a strategy would bet, and asks for nothing else', async () => {
  const table = await stakeport('evaluate', strategy, '--market', 'derby-slug');
  expect(table).toMatchObject({ code: 0, out: expect.stringMatching(/^AT +VERDICT +OUTCOME +ODDS +COST +WHY/) });
  const { data } = JSON.parse((await stakeport('evaluate', strategy, '--json')).out);
  expect(data).toEqual([expect.objectContaining({ market_id: GAME.id, outcome_label: 'Home' })]);
});

it('a list with more says how to get the next page', async () => {
  const { data } = (await alice.get(`${ORDERS}?limit=100`)).json<{ data: { id: string }[] }>();
  await alice.post(ORDERS, { market_id: GAME.id, token: 'YES', price: 0.5, size_usdc: 10 });
  const first = await stakeport('orders', '--limit', '1');
  const [, cursor = ''] = /^There are more: --cursor (\S+)$/m.exec(first.err) ?? [];
  const next = await stakeport('orders', '--cursor', cursor);
  expect(data.every(({ id }) => next.out.includes(id.slice(-8)))).toBe(true);
});

it('commands name things by the last 8 characters of their ids', async () => {
  const { out } = await stakeport('orders', '--market', GAME.id);
  expect(out).toMatch(new RegExp(`^${order.slice(-8)} `, 'm'));
  const ends = [order, strategy].map((id) => id.slice(-8)) as [string, string];
  expect((await stakeport('order', ends[0])).out).toBe((await stakeport('order', order)).out);
  expect((await stakeport('strategy', ends[1])).out).toBe((await stakeport('strategy', strategy)).out);
  expect(await stakeport('orders', '--strategy', ends[1])).toMatchObject({ code: 0, out: 'No orders.\n' });
  expect(await stakeport('order', '0badc0de')).toMatchObject({
    code: 1,
    err: 'No order ends in 0badc0de, of the newest 1000: an older one is found by its whole id. Yours are in: stakeport orders\n',
  });
});

describe('a table', () => {
  it('has colours only on demand, aligned even with wide characters', async () => {
    const plain = await stakeport('orders');
    against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: key, NO_COLOR: '', FORCE_COLOR: '1' });
    const coloured = await stakeport('orders');
    const ESCAPE = '\u001b';
    expect(plain.out).not.toContain(ESCAPE);
    expect(coloured.out).toContain(`${ESCAPE}[32mfilled`);
    expect(stripVTControlCharacters(coloured.out)).toBe(plain.out);
    against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: key, NO_COLOR: '1', FORCE_COLOR: '1' });
    expect((await stakeport('orders')).out).not.toContain(ESCAPE);
  });
});

describe('what goes wrong is one line with the way out, and an exit code of the table:', () => {
  const NOBODY = '00000000-0000-4000-8000-000000000000';

  it.each<[string, string[], number, RegExp]>([
    [
      'an unknown order',
      ['order', NOBODY],
      1,
      /^There is no such order, or it is not yours\. Yours are in: stakeport orders$/,
    ],
    ['an unknown strategy', ['decisions', NOBODY], 1, /^There is no such strategy, .* stakeport strategies$/],
    ['an unknown market', ['market', 'nothing'], 1, /Find it with: stakeport markets WORDS$/],
    ['an unknown book', ['book', 'nothing'], 1, /Find it with: stakeport markets WORDS$/],
    [
      'an outcome that the market does not have',
      ['book', 'derby-slug', '--outcome', 'Draw'],
      64,
      /^derby-slug has no outcome Draw\. Say one of: YES, NO, Home, Away\./,
    ],
    [
      'an option without its value',
      ['buy', 'derby-slug', 'YES'],
      64,
      /say the size by --usdc or --shares\. See stakeport buy --help$/,
    ],
    [
      'a value that is not allowed',
      ['orders', '--limit', '1000'],
      64,
      /^limit must be a whole number from 1 to 100.* See --help$/,
    ],
    [
      'an option that does not exist',
      ['orders', '--lmit', '1'],
      64,
      /unknown option '--lmit' \(Did you mean --limit\?\) See stakeport orders --help$/,
    ],
  ])('%s', async (_, args, code, words) => {
    const said = await stakeport(...args);
    expect(said).toMatchObject({ code, out: '' });
    expect(said.err.trimEnd()).toMatch(words);
    expect(said.err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('in JSON, with the exit code and the API’s problem', async () => {
    const { code, out, err } = await stakeport('order', NOBODY, '--json');
    expect({ code, out, error: JSON.parse(err) }).toEqual({
      code: 1,
      out: '',
      error: {
        error: expect.stringContaining('stakeport orders'),
        exit: 1,
        key: null,
        problem: expect.objectContaining({ type: '/problems/not-found', status: 404 }),
      },
    });
  });

  it('an invalid key, a missing key, and one without the scope', async () => {
    against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: `${key}x` });
    const wrong = await stakeport('orders');
    expect(wrong).toMatchObject({
      code: 78,
      err: expect.stringMatching(
        /does not take STAKEPORT_KEY\. Set STAKEPORT_KEY to a valid one \(stakeport keys create makes one, beside the server\), or unset STAKEPORT_URL/,
      ),
    });
    expect(wrong.err).not.toContain(key);
    against({ STAKEPORT_URL: fixture.url });
    expect(await stakeport('orders')).toMatchObject({
      code: 78,
      err: expect.stringMatching(/wants a key\. Set STAKEPORT_KEY to a valid one/),
    });
    against({ STAKEPORT_URL: fixture.url, STAKEPORT_KEY: await fixture.key('alice', 'orders:paper') });
    expect(await stakeport('orders')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^This needs the scope orders:read\. It is not among those of STAKEPORT_KEY: use a key /,
      ),
    });
  });

  it('a server that is not there, and one that is something else', async () => {
    against({ STAKEPORT_URL: 'http://127.0.0.1:1' });
    const silent = await stakeport('orders');
    expect(silent).toMatchObject({
      code: 69,
      err: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 is not reached \(ECONNREFUSED\)\. .*Nothing was sent\.\n$/),
    });
    against({ STAKEPORT_URL: `${fixture.url}/docs` });
    expect(await stakeport('orders')).toMatchObject({ code: 1 });
  });
});

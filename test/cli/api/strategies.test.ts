import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { STRATEGIES } from '../../support/app.js';
import { SERVER } from '../../support/processes.js';
import { aTraderEach } from './fixture.js';
import { asked, person, stakeport } from './remote.js';
import { REMOTE_CALLS } from './remote-calls.js';

const trader = aTraderEach();
const [, , FAVOURITES = ''] = REMOTE_CALLS['stakeport strategy create'] ?? [];

async function made(): Promise<string> {
  return JSON.parse((await stakeport('strategy', 'create', FAVOURITES, '--yes', '--json')).out).id;
}

const stored = async (id: string) => (await trader.now.client.get(`${STRATEGIES}/${id}`)).json();

describe('strategy create', () => {
  it('makes what a file has, after a person saw what it would do', async () => {
    const said = await asked(person('y'), 'strategy', 'create', FAVOURITES);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^name +Home favourites$/m) });
    expect(said.err).toMatch(/^MEMBER +MEANS$/m);
    expect(said.err).toMatch(/^bankroll cap +1000 USDC$/m);
    expect(await stakeport('strategy', 'create', FAVOURITES)).toMatchObject({ code: 64 });
  });

  it('makes what a person answers, and nothing after a no', async () => {
    const answers = ['Asked', '', '', 'favourite', 'any', '1.4', '2.5', '7', '70', 'off'];
    expect(await asked(person(...answers, 'n'), 'strategy', 'create')).toMatchObject({ code: 1 });
    const said = await asked(person(...answers, 'y'), 'strategy', 'create', '--json');
    expect(JSON.parse(said.out)).toMatchObject({
      name: 'Asked',
      sport: 'soccer',
      rules: { outcome: { favourite_rank: 1 }, phase: 'any', filter: { min_odds: 1.4, max_odds: 2.5 } },
      bankroll_cap: '70',
      stake_cap: '7',
      paper_only: true,
    });
  });

  it('suggests a sport, an outcome and a phase that markets have', async () => {
    const silent = person(...Array.from({ length: 10 }, () => ''), 'y');
    const said = await asked(silent, 'strategy', 'create', '--json');
    expect(silent.questions.slice(1, 5)).toEqual([
      'Which sport: soccer? [soccer] ',
      'Words that the market must have? [any] ',
      'Which outcome: first, second, favourite, each, or its name, such as Home? [first] ',
      'When: pre, in_play, any (pre is before the game, in_play while it is on)? [pre] ',
    ]);
    expect(JSON.parse(said.out)).toMatchObject({ sport: 'soccer', rules: { outcome: { index: 0 }, phase: 'pre' } });
  });

  it('takes an outcome by its name in any case', async () => {
    const answers = ['Named', '', '', 'home', '', '', '', '', '', 'off', 'y'];
    const said = await asked(person(...answers), 'strategy', 'create', '--json');
    expect(JSON.parse(said.out)).toMatchObject({ rules: { outcome: { label: 'Home' } } });
  });

  it.each([
    ['{', /holds no JSON: .* Nothing was done\.\n$/],
    ['[]', /holds no JSON object with the members of a strategy/],
    ['{"name": "x"}', /sport|rules/],
  ])('refuses %j in one line', async (text, words) => {
    const said = await asked(person(text), 'strategy', 'create', '-', '--yes');
    expect(said).toMatchObject({ code: 64, err: expect.stringMatching(words) });
    expect(said.err.trimEnd().split('\n')).toHaveLength(1);
  });
});

it('strategy create asks on a terminal, and makes what was answered', async () => {
  const { PATH = '', HOME = '', STAKEPORT_URL = '', STAKEPORT_KEY = '' } = process.env;
  const command = `${process.execPath} ${SERVER} strategy create`;
  const env = { PATH, HOME, STAKEPORT_URL, STAKEPORT_KEY, NO_COLOR: '1' };
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { env });
  let shown = '';
  const answers = ['Typed', '', '', '', '', '', '', '', '', 'off', 'y'];
  terminal.stdout.on('data', (bytes: Buffer) => {
    shown += bytes;
    // A question ends with what is taken for an empty answer.
    if (answers.length > 0 && /\[[^\]\n]+\] $/.test(stripVTControlCharacters(shown))) {
      shown = '';
      terminal.stdin.write(`${answers.shift()}\r`);
    }
  });
  expect(await once(terminal, 'close')).toEqual([0, null]);
  expect(shown).toMatch(/^name +Typed\r$/m);
  expect(answers).toEqual([]);
});

describe('strategy edit', () => {
  it('changes what differs, and shows a person what that is', async () => {
    const id = await made();
    const whole = JSON.parse((await stakeport('strategy', id, '--json')).out);
    const changed = JSON.stringify({ ...whole, stake_cap: '20', bankroll_cap: 1000 });
    const said = await asked(person(changed, 'y'), 'strategy', 'edit', id.slice(-8), '-');
    expect(said.err).toMatch(/^stake_cap +"50" → "20"$/m);
    expect(said.err).not.toMatch(/^bankroll_cap +"/m);
    expect(await stored(id)).toMatchObject({ stake_cap: '20', version: 2 });
    expect(await asked(person(changed), 'strategy', 'edit', id, '-', '--yes')).toMatchObject({
      code: 0,
      err: 'Nothing differs from the strategy as it is. Nothing was done.\n',
    });
  });
});

describe('strategy validate, clone, pause, resume and archive', () => {
  it('validate says what a file would do, and makes nothing', async () => {
    const said = await stakeport('strategy', 'validate', FAVOURITES);
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(/^rules\/outcome +.*Home/m) });
    expect((await trader.now.client.get(STRATEGIES)).json()).toMatchObject({ data: [] });
  });

  it('clone makes a paused one with the same rules', async () => {
    const id = await made();
    const said = await stakeport('strategy', 'clone', id.slice(-8), '--name', 'Other', '--json');
    const { rules } = await stored(id);
    expect(JSON.parse(said.out)).toMatchObject({ name: 'Other', is_paused: true, paper_only: true, rules });
  });

  it('pause, resume and archive do what they say', async () => {
    const id = await made();
    expect(await stakeport('strategy', 'pause', id.slice(-8))).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^paused +yes$/m),
    });
    const named = await stakeport('strategy', 'resume', 'home fav');
    expect(named).toMatchObject({ out: expect.stringMatching(/^paused +no$/m) });
    expect((await stakeport('decisions', 'home fav')).out).toMatch(/why: stakeport evaluate "home fav"\n$/);
    expect(await stakeport('strategy', 'archive', id)).toMatchObject({ code: 64 });
    expect(await asked(person('n'), 'strategy', 'archive', id)).toMatchObject({ code: 1 });
    expect(await asked(person('y'), 'strategy', 'archive', id)).toMatchObject({ code: 0 });
    expect(await stakeport('strategy', id)).toMatchObject({ code: 1, err: expect.stringMatching(/no such strategy/) });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { changeEndpoint } from '../../../../src/core/endpoint/change-endpoint.js';
import type { CommandRefusal } from '../../../../src/core/endpoint/command.js';
import { removed } from '../../../../src/core/endpoint/endpoint.js';
import type { EndpointId } from '../../../../src/core/ids.js';
import { NEVER, pressIn } from '../../../../src/core/message/press.js';
import { ReadAlarms } from '../../../../src/core/usecases/alarms/read-alarms.js';
import { ReportHearing } from '../../../../src/core/usecases/commands/background/report-hearing.js';
import { ALICE, countingIds } from '../../../support/builders.js';
import { asking, MINUTE } from '../approvals/fixture.js';
import { ANN, ANNS, aChannel, BOX, commanded, EVE, refusals, stored } from './fixture.js';

let fixture: Awaited<ReturnType<typeof asking>>;
let chat: Awaited<ReturnType<typeof commanded>>;

beforeEach(async () => {
  fixture = await asking();
  chat = await commanded(fixture.ports);
  await fixture.show('0.50x1000');
});

const by = () => `telegram:${chat.channel.id}:${ANN}`;
const states = async () => (await fixture.approvals()).map(({ state, decidedBy }) => [state, decidedBy]);
const trading = async () =>
  (await fixture.use.trading.read.now(ALICE)).states.map(({ state, by: who }) => [state, who]);
const because = async () => (await refusals(fixture.ledger)).map((one) => one.because);

describe('Whoever may command an account from a chat', () => {
  it('approves a bet on paper with one press, on record', async () => {
    await chat.says('approvals');
    expect(chat.last()).toEqual([
      expect.stringMatching(/^Approve until .*\? BUY .* for 10\.00 USDC, at 0\.5 or better, paper/),
    ]);
    await chat.presses(chat.button('Approve'));
    expect(await states()).toEqual([['approved', by()]]);
    expect(await fixture.orders()).toHaveLength(1);
    expect(chat.bot.toasts).toEqual(['The bet is approved.']);
    expect(chat.bot.cleared).toEqual([1]);
    expect(chat.last()).toEqual([expect.stringContaining('Approval approved: BUY ')]);
    expect(await refusals(fixture.ledger)).toEqual([]);
  });

  it('rejects a bet with one press, on record', async () => {
    await chat.says('approvals');
    await chat.presses(chat.button('Reject'));
    expect(await states()).toEqual([['rejected', by()]]);
    expect(await fixture.orders()).toEqual([]);
  });

  it('halts the account with a command and a press, on record', async () => {
    await chat.says('halt');
    expect(await trading()).toEqual([]);
    await chat.presses(chat.button('Halt now'));
    expect(await trading()).toEqual([['halted', by()]]);
    await chat.presses(chat.button('Halt now'));
    expect(await because()).toEqual(['repeated']);
  });

  it('reads status, positions, profit and the list of commands', async () => {
    await chat.presses(chat.tokenFor('approve', (await fixture.approvals())[0]?.id ?? ''));
    await chat.says('status');
    expect(chat.last()).toEqual([
      'Trading is active.',
      'In the last 24 hours:',
      expect.stringMatching(/^Paper: profit .*, equity .*1 open position, .* at risk\.$/),
      'No alarms.',
    ]);
    await chat.says('positions');
    expect(chat.last()).toEqual([
      expect.stringMatching(
        /^20 Bucks against Thunder.* for 10\.00 USDC, now 9\.60 USDC at 0\.48, -0\.40 USDC, paper$/,
      ),
    ]);
    await chat.says('profit');
    expect(chat.last()).toEqual([
      expect.stringMatching(/^Profit -0\.40 USDC, paper: 0\.00 USDC realised, -0\.40 USDC open/),
    ]);
    await chat.says('start');
    expect(chat.last().map((line) => line.split(':')[0])).toContain('/halt');
  });
});

describe('A press does nothing, and is on record,', () => {
  const approve = async () => chat.tokenFor('approve', (await fixture.approvals())[0]?.id ?? '');

  it.each<[string, CommandRefusal, () => Promise<void>]>([
    ['where its text is forged', 'forged', async () => chat.presses(`${(await approve()).slice(0, -1)}!`)],
    [
      'where it was made for another chat',
      'forged',
      async () => {
        const other = await stored(fixture.ledger, aChannel());
        await chat.presses(chat.tokenFor('approve', (await fixture.approvals())[0]?.id ?? '', other.id));
      },
    ],
    ['from another chat', 'foreign', async () => chat.presses(await approve(), { chatId: '-200' })],
    ['of somebody else', 'not_allowed', async () => chat.presses(await approve(), { userId: EVE })],
    [
      'of a member who was removed',
      'not_a_member',
      async () => {
        chat.bot.left.add(ANN);
        await chat.presses(await approve());
      },
    ],
    [
      'once the bet has expired',
      'late',
      async () => {
        await fixture.clock.pass(11 * MINUTE);
        await chat.presses(await approve());
      },
    ],
    [
      'once the chat is removed',
      'switched_off',
      async () => {
        await stored(fixture.ledger, removed(chat.channel, new Date()));
        await chat.presses(await approve());
      },
    ],
    [
      'where nobody may command from there any more',
      'switched_off',
      async () => {
        await stored(fixture.ledger, { ...aChannel(null), id: chat.channel.id });
        await chat.presses(await approve());
      },
    ],
  ])('%s', async (_, why, press) => {
    await press();
    expect(await fixture.orders()).toEqual([]);
    expect((await states()).flat()).not.toContain('approved');
    expect(await because()).toEqual([why]);
    expect(chat.bot.toasts).toHaveLength(1);
  });

  it('a second time, whoever presses', async () => {
    const both = { ...ANNS, users: [ANN, EVE] };
    chat = await commanded(fixture.ports, both);
    const data = await approve();
    await Promise.all([chat.presses(data), chat.presses(data, { userId: EVE })]);
    await chat.presses(data);
    expect(await fixture.orders()).toHaveLength(1);
    expect(await because()).toEqual(['repeated', 'repeated']);
  });

  it('after the other button was pressed', async () => {
    const data = await approve();
    await fixture.reject((await fixture.approvals())[0]);
    await chat.presses(data);
    expect(await states()).toEqual([['rejected', 'ann']]);
    expect(await because()).toEqual(['decided']);
  });

  it('ten minutes after a halt was asked for', async () => {
    await chat.says('halt');
    await fixture.clock.pass(11 * MINUTE);
    await chat.presses(chat.button('Halt now'));
    expect(await trading()).toEqual([]);
    expect(await because()).toEqual(['late']);
  });
});

describe('The rights of a chat', () => {
  it('end with the key that gave them', async () => {
    const key = { id: 'k1', account: ALICE, scopes: ANNS.may, digest: '', createdAt: new Date(), expiresAt: null };
    const put = (revokedAt: Date | null) =>
      fixture.ledger.write({ account: ALICE, keys: ['k1'] }, () => ({ result: null, keys: [{ ...key, revokedAt }] }));
    await put(null);
    chat = await commanded(fixture.ports, { ...ANNS, by: 'k1', kind: 'key' });
    await chat.says('help');
    expect(chat.told).toHaveLength(1);
    await put(new Date());
    await chat.says('help');
    expect(chat.told).toHaveLength(1);
    expect(await because()).toEqual(['key_unusable']);
  });

  it('are those of the credential that gave them', async () => {
    chat = await commanded(fixture.ports, { ...ANNS, may: ['webhooks:write'] });
    for (const name of ['status', 'halt']) await chat.says(name);
    const { id = '' } = (await fixture.approvals())[0] ?? {};
    for (const action of ['approve', 'reject'] as const) await chat.presses(chat.tokenFor(action, id));
    expect(await because()).toEqual(Array.from({ length: 4 }, () => 'scope_missing'));
    expect(chat.told).toEqual([]);
  });

  it('never reach real money: it is rejected, and approved elsewhere', async () => {
    const [waiting] = await fixture.approvals();
    const live = { ...waiting, paper: false } as NonNullable<typeof waiting>;
    const scope = { account: ALICE, approvals: live.decision };
    await fixture.ledger.write(scope, () => ({ result: null, approvals: [live] }));
    await chat.says('approvals');
    expect(
      chat.told
        .at(-1)
        ?.buttons?.flat()
        .map(({ label }) => label.split(' ')[0]),
    ).toEqual(['Reject']);
    expect(chat.last()).toEqual([expect.stringContaining('To approve: stakeport approve')]);
    await chat.presses(chat.tokenFor('approve', live.id));
    expect(await fixture.orders()).toEqual([]);
    expect(await because()).toEqual(['scope_missing']);
  });
});

describe('A command', () => {
  it.each<[string, CommandRefusal, object]>([
    ['from another chat', 'foreign', { chatId: '-200' }],
    ['from another topic', 'foreign', { threadId: 7 }],
    ['of somebody else', 'not_allowed', { userId: EVE }],
    ['of ten minutes ago', 'late', { at: new Date(0) }],
  ])('%s is not answered, and is on record', async (_, why, changes) => {
    await chat.says('halt', changes);
    expect(chat.told).toEqual([]);
    expect(await refusals(fixture.ledger)).toMatchObject([{ said: '/halt', because: why }]);
  });

  it('of a stranger is on record twenty times an hour at most', async () => {
    for (let times = 0; times < 25; times += 1) await chat.says('halt', { userId: EVE });
    expect(await refusals(fixture.ledger)).toHaveLength(20);
  });
});

it('An alarm says whose commands another program takes, until they are heard or nobody may command', async () => {
  const { ledger, wallClock } = fixture.ports;
  const hearing = new ReportHearing(ledger, wallClock);
  const alarms = async () =>
    (await new ReadAlarms(ledger).execute(ALICE, false)).map(({ kind, subject }) => [kind, subject]);
  await hearing.execute([chat.channel], false);
  expect(await alarms()).toEqual([['commands_unheard', chat.channel.id]]);
  await hearing.execute([chat.channel], true);
  expect(await alarms()).toEqual([]);
  await hearing.execute([chat.channel], false);
  await changeEndpoint(ledger, chat.channel, (one) => removed(one, wallClock.now()));
  expect(await alarms()).toEqual([]);
  await hearing.execute([chat.channel], false);
  expect(await alarms()).toEqual([]);
});

it('A button means what it was made for, to its channel alone', () => {
  const subject = countingIds.next();
  const data = chat.tokenFor('reject', subject);
  const codeOf = (text: string) => BOX.codeOf(text);
  expect(data.length).toBeLessThanOrEqual(64);
  expect(pressIn(data, chat.channel.id, codeOf)).toEqual({ action: 'reject', subject, until: NEVER });
  expect(pressIn(data, countingIds.next() as EndpointId, codeOf)).toBeNull();
  expect(pressIn(`a${data.slice(1)}`, chat.channel.id, codeOf)).toBeNull();
});

import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../src/adapters/memory/ledger.js';
import { AuditBooks } from '../../../src/core/usecases/audit-books.js';
import { ManageAccounts } from '../../../src/core/usecases/manage-accounts.js';
import { ALICE, aDesk, BOB, usdc } from '../../support/builders.js';
import { SigningExchange, takes } from '../../support/scripted-exchange.js';
import { Trading } from '../../support/trading.js';

function stage() {
  const ledger = new MemoryLedger();
  const desk = aDesk();
  const trading = new Trading(ledger, { desk, live: new SigningExchange({ place: takes() }) });
  return { ledger, desk, trading, manage: new ManageAccounts(ledger, desk) };
}

describe('An operator', () => {
  it('lets an account trade with real money, and stops it again', async () => {
    const { manage, trading } = stage();
    const live = () => trading.place({ paper: false }, { mayTradeLive: true });
    await manage.deposit(ALICE, usdc('100'));
    await expect(live()).rejects.toMatchObject({ code: 'live_trading_not_enabled' });
    expect(await manage.allowLive(ALICE, true)).toMatchObject({ account: ALICE, liveEnabled: true });
    expect((await live()).state).toBe('open');
    await manage.allowLive(ALICE, false);
    await expect(live()).rejects.toMatchObject({ code: 'live_trading_not_enabled' });
    expect((await manage.show(BOB)).liveEnabled).toBe(false);
  });

  it('puts down how much of the wallet is whose, and an account spends no more than that', async () => {
    const { manage, trading } = stage();
    await manage.allowLive(ALICE, true);
    const live = () => trading.place({ paper: false, size: usdc('10') }, { mayTradeLive: true });
    expect(await live()).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_balance' } });
    await manage.deposit(ALICE, usdc('9.999999'));
    expect((await live()).state).toBe('denied');
    await manage.deposit(ALICE, usdc('0.000001'));
    expect((await live()).state).toBe('open');
    expect((await manage.show(ALICE)).balance).toMatchObject({ cash: usdc('10'), reserved: usdc('10') });
  });

  it('takes back what no order keeps back, and not a millionth more', async () => {
    const { manage, trading } = stage();
    await manage.allowLive(ALICE, true);
    await manage.deposit(ALICE, usdc('25'));
    await trading.place({ paper: false, size: usdc('10') }, { mayTradeLive: true });
    expect(await manage.withdraw(ALICE, usdc('15.000001'))).toBeNull();
    expect((await manage.withdraw(ALICE, usdc('15')))?.balance.cash).toBe(usdc('10'));
  });

  it('leaves books that hold, with an entry for each movement and none on paper', async () => {
    const { ledger, desk, manage } = stage();
    await manage.deposit(ALICE, usdc('25'));
    await manage.deposit(ALICE, usdc('5'));
    await manage.withdraw(ALICE, usdc('30'));
    const entries = await ledger.listEntries(ALICE, false, { limit: 10 });
    expect(entries.map(({ cause, lines }) => [cause, lines[0]?.amount])).toEqual([
      ['opening', usdc('25')],
      ['deposit', usdc('5')],
      ['withdrawal', -usdc('30')],
    ]);
    expect(await ledger.listEntries(ALICE, true, { limit: 10 })).toEqual([]);
    const audits = [];
    for await (const audit of new AuditBooks(ledger, desk).execute()) audits.push(audit);
    expect(audits).toMatchObject([{ account: ALICE, findings: [] }]);
  });
});

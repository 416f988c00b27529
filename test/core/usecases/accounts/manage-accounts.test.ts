import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import type { AccountId, VenueName } from '../../../../src/core/ids.js';
import { NO_VENUE } from '../../../../src/core/market/market.js';
import { AuditBooks } from '../../../../src/core/usecases/accounts/audit-books.js';
import { ManageAccounts } from '../../../../src/core/usecases/accounts/manage-accounts.js';
import { ALICE, anOrderContext, BOB, usdc } from '../../../support/builders.js';
import { SigningExchange, takes } from '../../../support/scripted-exchange.js';
import { Trading } from '../../../support/trading.js';

function fixture() {
  const ledger = new MemoryLedger();
  const context = anOrderContext();
  const trading = new Trading(ledger, { context, live: new SigningExchange({ place: takes() }) });
  return { ledger, context, trading, manage: new ManageAccounts(ledger, context) };
}

const MISTYPED = 'Alice' as AccountId;

describe('A name that was mistyped', () => {
  it.each([
    ['halt', (manage: ManageAccounts) => manage.halt(MISTYPED, 'Stop.')],
    ['release', (manage: ManageAccounts) => manage.release(MISTYPED)],
    ['allowLive false', (manage: ManageAccounts) => manage.allowLive(MISTYPED, false)],
    ['deposit', (manage: ManageAccounts) => manage.deposit(MISTYPED, NO_VENUE, usdc('1'))],
    ['withdraw', (manage: ManageAccounts) => manage.withdraw(MISTYPED, NO_VENUE, usdc('1'))],
    ['show', (manage: ManageAccounts) => manage.show(MISTYPED)],
  ])('is an error with the closest name, and changes nothing: %s', async (_, action) => {
    const { ledger, manage } = fixture();
    await manage.allowLive(ALICE, true);
    const words = 'There is no account Alice. Is alice meant? Nothing was done.';
    await expect(action(manage)).rejects.toMatchObject({ code: 'account_not_found', message: words });
    expect(await ledger.listAccounts({}, { limit: 9 })).toEqual([ALICE]);
    expect(await manage.show(ALICE)).toMatchObject({ halt: null, liveEnabled: true });
  });

  it('becomes an account by letting it trade with real money alone', async () => {
    const { manage } = fixture();
    expect(await manage.allowLive(MISTYPED, true)).toMatchObject({ account: MISTYPED, liveEnabled: true });
    expect(await manage.allowLive(MISTYPED, false)).toMatchObject({ account: MISTYPED, liveEnabled: false });
  });

  it('is any that is not on record; a paper account is known', async () => {
    const { manage, trading } = fixture();
    await expect(manage.halt(BOB, 'Stop.')).rejects.toThrow('There is no account bob. Nothing was done.');
    await trading.place({ account: BOB });
    expect(await manage.halt(BOB, 'Stop.')).toMatchObject({ account: BOB, halt: { message: 'Stop.' } });
    expect(await manage.list()).toMatchObject([{ account: BOB }]);
  });
});

describe('An operator', () => {
  it('lets an account trade with real money, and stops it again', async () => {
    const { manage, trading } = fixture();
    const live = () => trading.place({ paper: false }, { mayTradeLive: true });
    await expect(live()).rejects.toMatchObject({ code: 'live_trading_not_enabled' });
    expect(await manage.allowLive(ALICE, true)).toMatchObject({ account: ALICE, liveEnabled: true });
    await manage.deposit(ALICE, NO_VENUE, usdc('100'));
    expect((await live()).state).toBe('open');
    await manage.allowLive(ALICE, false);
    await expect(live()).rejects.toMatchObject({ code: 'live_trading_not_enabled' });
  });

  it.each([
    ['play money', 'polymarket', 'elsewhere_demo'],
    ['real money', 'elsewhere_demo', 'polymarket'],
  ])('gives an account no %s beside the other kind', async (_, had, wanted) => {
    const { ledger, manage } = fixture();
    await manage.allowLive(ALICE, true);
    await manage.deposit(ALICE, had as VenueName, usdc('100'));
    const mixed = manage.deposit(ALICE, wanted as VenueName, usdc('1'));
    await expect(mixed).rejects.toMatchObject({ code: 'money_mixed', message: expect.stringContaining(wanted) });
    expect(await ledger.listEntries(ALICE, false, { limit: 9 })).toHaveLength(1);
    expect(await manage.deposit(ALICE, had as VenueName, usdc('1'))).toMatchObject({ balance: { cash: usdc('101') } });
  });

  it('allocates the wallet among accounts, each spending at most its part', async () => {
    const { manage, trading } = fixture();
    await manage.allowLive(ALICE, true);
    const live = () => trading.place({ paper: false, size: usdc('10') }, { mayTradeLive: true });
    expect(await live()).toMatchObject({ state: 'denied', refusal: { code: 'insufficient_balance' } });
    await manage.deposit(ALICE, NO_VENUE, usdc('9.999999'));
    expect((await live()).state).toBe('denied');
    await manage.deposit(ALICE, NO_VENUE, usdc('0.000001'));
    expect((await live()).state).toBe('open');
    expect((await manage.show(ALICE)).balance).toMatchObject({ cash: usdc('10'), reserved: usdc('10') });
  });

  it('takes back what no order reserves, and not a millionth more', async () => {
    const { manage, trading } = fixture();
    await manage.allowLive(ALICE, true);
    await manage.deposit(ALICE, NO_VENUE, usdc('25'));
    await trading.place({ paper: false, size: usdc('10') }, { mayTradeLive: true });
    expect(await manage.withdraw(ALICE, NO_VENUE, usdc('15.000001'))).toBeNull();
    expect((await manage.withdraw(ALICE, NO_VENUE, usdc('15')))?.balance.cash).toBe(usdc('10'));
  });

  it('leaves balanced books with an entry per movement, none on paper', async () => {
    const { ledger, context, manage } = fixture();
    await manage.allowLive(ALICE, true);
    await manage.deposit(ALICE, NO_VENUE, usdc('25'));
    await manage.deposit(ALICE, NO_VENUE, usdc('5'));
    await manage.withdraw(ALICE, NO_VENUE, usdc('30'));
    const entries = await ledger.listEntries(ALICE, false, { limit: 10 });
    expect(entries.map(({ cause, lines }) => [cause, lines[0]?.amount])).toEqual([
      ['opening', usdc('25')],
      ['deposit', usdc('5')],
      ['withdrawal', -usdc('30')],
    ]);
    expect(await ledger.listEntries(ALICE, true, { limit: 10 })).toEqual([]);
    const audits = [];
    for await (const audit of new AuditBooks(ledger, context).execute()) audits.push(audit);
    expect(audits).toMatchObject([{ account: ALICE, findings: [] }]);
  });
});

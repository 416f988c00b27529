import { describe, expect, it } from 'vitest';
import { ManageAccounts } from '../../src/core/usecases/accounts/manage-accounts.js';
import type { Exchange, PlaceResult } from '../../src/ports/exchange.js';
import { ALICE, anOrderContext, LIVE_CASH, usdc } from '../support/builders.js';
import { SigningExchange, takes } from '../support/scripted-exchange.js';
import { Trading } from '../support/trading.js';
import type { OpenedLedger } from './opened.js';

/** A venue that had to wait and asks, before it sends, whether the order is still wanted; what happens meanwhile is for the test. */
class WaitingExchange extends SigningExchange {
  readonly wanted: boolean[] = [];
  meanwhile: () => Promise<unknown> = async () => {};

  override async place(...[order, mayStillSend, isWanted]: Parameters<Exchange['place']>): Promise<PlaceResult> {
    await this.meanwhile();
    const wanted = await isWanted();
    this.wanted.push(wanted);
    if (wanted) return super.place(order, mayStillSend);
    return { kind: 'denied', refusal: { code: 'not_wanted', message: 'It was stopped.' } };
  }
}

/** What one server knows of an account may be out of date: another server may have stopped it just now. */
export function checkedAgain(open: () => readonly OpenedLedger['ledger'][]): void {
  describe('an order with real money, right before it is sent', () => {
    async function fixture() {
      const [ledger, other = ledger] = open();
      if (ledger === undefined || other === undefined) throw new Error('two servers need a ledger');
      const live = new WaitingExchange({ place: takes() });
      const trading = new Trading(ledger, { live });
      const elsewhere = new ManageAccounts(other, anOrderContext());
      await elsewhere.allowLive(ALICE, true);
      await elsewhere.deposit(ALICE, LIVE_CASH.venue, usdc('100'));
      const strategy = await trading.strategy({ paperOnly: false });
      const pausing = () =>
        new Trading(other).changeStrategy.execute({
          account: ALICE,
          strategyId: strategy.id,
          patch: { isPaused: true },
          precondition: null,
          route: 'strategies.pause',
          idempotencyKey: null,
        });
      const place = () => trading.place({ paper: false, strategyId: strategy.id }, { mayTradeLive: true });
      // What this server has just seen is that all is well.
      expect((await place()).state).toBe('open');
      return { live, place, halting: () => elsewhere.halt(ALICE, 'Stop.'), pausing };
    }

    it.each([
      ['halted', 'live_halted'],
      ['paused', 'strategy_paused'],
    ])('is not sent when another server has it %s during signing', async (what, code) => {
      const { live, place, halting, pausing } = await fixture();
      live.whileSigning = what === 'halted' ? halting : pausing;
      expect(await place()).toMatchObject({ state: 'denied', refusal: { code } });
      expect(live.count('place')).toBe(1);
    });

    it.each(['halted', 'paused'])('is not sent when another server has it %s while queued', async (what) => {
      const { live, place, halting, pausing } = await fixture();
      live.meanwhile = what === 'halted' ? halting : pausing;
      expect(await place()).toMatchObject({ state: 'rejected', refusal: { code: 'not_wanted' } });
      expect(live.wanted).toEqual([true, false]);
      expect(live.count('place')).toBe(1);
    });
  });
}

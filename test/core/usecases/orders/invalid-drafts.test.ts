import { describe, expect, it } from 'vitest';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { PAPER_CASH } from '../../../../src/core/account/account.js';
import { OrderInvalid } from '../../../../src/core/errors.js';
import { termFaults } from '../../../../src/core/order/draft.js';
import { ALICE, anOrderDraft, type DraftChanges, NOON } from '../../../support/builders.js';
import { trading } from '../../../support/trading.js';

const soon = new Date(Date.parse(NOON) + 600_000);
const HUGE = 10n ** 15n;

/** What a program may pass that no client can: types do not check values at run time. */
const NO_ORDERS: readonly (readonly [string, string, object])[] = [
  ['of no account', 'account', { account: '' }],
  ['of a name with a blank', 'account', { account: 'al ice' }],
  ['in a market with a blank in its id', 'marketId', { marketId: 'will it rain' }],
  ['in a market without a name', 'marketId', { marketId: '' }],
  ['in a market with too long a name', 'marketId', { marketId: 'm'.repeat(129) }],
  ['of a third outcome', 'outcome', { outcome: 'MAYBE' }],
  ['that neither buys nor sells', 'side', { side: 'HOLD' }],
  ['for nothing a share', 'price', { price: 0n }],
  ['for a dollar a share', 'price', { price: 1_000_000n }],
  ['for a negative price', 'price', { price: -1n }],
  ['for a price that is a float', 'price', { price: 0.5 }],
  ['of no size', 'size', { size: 0n }],
  ['of a negative size', 'size', { size: -1n }],
  ['of more than the interface takes', 'size', { size: HUGE }],
  ['that stays for ever and a day', 'timeInForce', { timeInForce: 'DAY' }],
  ['GTD without an end', 'expiresAt', { timeInForce: 'GTD' }],
  ['GTC with an end', 'expiresAt', { expiresAt: soon }],
  ['FOK with an end', 'expiresAt', { timeInForce: 'FOK', expiresAt: soon }],
  ['GTD until an invalid date', 'expiresAt', { timeInForce: 'GTD', expiresAt: new Date(Number.NaN) }],
  ['GTD until the year 10000', 'expiresAt', { timeInForce: 'GTD', expiresAt: new Date(Date.UTC(10_000, 0)) }],
  ['GTD until a text', 'expiresAt', { timeInForce: 'GTD', expiresAt: soon.toISOString() }],
  ['post-only FOK', 'postOnly', { timeInForce: 'FOK', postOnly: true }],
  ['post-only FAK', 'postOnly', { timeInForce: 'FAK', postOnly: true }],
  ['that is maybe on paper', 'paper', { paper: undefined }],
];

describe('What is not an order', () => {
  it.each(NO_ORDERS)('%s is refused by the name of its member, and leaves nothing', async (_, member, changes) => {
    const ledger = new MemoryLedger();
    const placed = trading(ledger).place(changes as DraftChanges, { idempotencyKey: 'a-key' });
    await expect(placed).rejects.toThrow(OrderInvalid);
    await expect(placed).rejects.toMatchObject({ code: 'order_invalid', member });
    expect(await ledger.listVenueOrders({}, { limit: 1 })).toEqual([]);
    expect(await ledger.findBalance(ALICE, PAPER_CASH)).toBeUndefined();
  });

  it.each([
    ['GTD with an end', { timeInForce: 'GTD', expiresAt: soon }],
    ['post-only GTC', { postOnly: true }],
    ['post-only GTD', { timeInForce: 'GTD', expiresAt: soon, postOnly: true }],
    ['the largest size at the least price', { size: HUGE - 1n, price: 1n }],
    ['the least size at the best price', { size: 1n, price: 999_999n }],
  ])('does not stand for %s', async (_, changes) => {
    const order = await trading(new MemoryLedger()).place(changes as DraftChanges);
    expect(['filled', 'denied']).toContain(order.state);
  });

  it('is refused with all faults of its time in force', () => {
    const draft = anOrderDraft({ timeInForce: 'FOK', postOnly: true, expiresAt: soon });
    expect(termFaults(draft).map(({ member }) => member)).toEqual(['expiresAt', 'postOnly']);
  });
});

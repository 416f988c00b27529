import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { price, usdc } from '../../../support/builders.js';
import { aFixture } from './exchange-fixture.js';

let fixture: Awaited<ReturnType<typeof aFixture>>;
beforeEach(async () => {
  fixture = await aFixture();
});
afterEach(() => fixture.close());

describe('no byte leaves', () => {
  test('for a sender that lost the order while it was frozen', async () => {
    const order = await fixture.order();
    expect(
      await fixture.exchange.place(
        order,
        () => false,
        async () => true,
      ),
    ).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'not_sent' },
    });
    expect(fixture.posts()).toBe(0);
  });

  test('for a sender that loses its order while awaiting a connection', async () => {
    await fixture.close();
    fixture = await aFixture({ connections: 1 });
    const [first, second] = [await fixture.order(), await fixture.order()];
    const held = fixture.venue.hold('POST /order', 'answer');
    const answered = fixture.sends(first);
    await held.arrived;
    let isMine = true;
    const waiting = fixture.exchange.place(
      second,
      () => isMine,
      async () => true,
    );
    await new Promise(setImmediate);
    isMine = false;
    held.release();
    expect(await answered).toMatchObject({ kind: 'accepted' });
    expect(await waiting).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    expect(fixture.posts()).toBe(1);
  });

  test('once it is too late to send the order', async () => {
    const order = await fixture.order();
    fixture.time.now += 15_001;
    expect(await fixture.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    expect(fixture.posts()).toBe(0);
  });

  test('to a venue that cannot be reached', async () => {
    const order = await fixture.order();
    await fixture.http.close();
    expect(await fixture.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
  });

  test('for an order that the signer does not sign', async () => {
    const order = await fixture.order({ size: usdc('50.5'), price: price('0.5') });
    expect(await fixture.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'signing_refused' } });
    expect(fixture.posts()).toBe(0);
  });

  test('for an envelope that gives another identity than the one on record', async () => {
    const [one, other] = [await fixture.order(), await fixture.order()];
    const forged = { ...one, intent: other.intent };
    expect(await fixture.sends(forged)).toMatchObject({ kind: 'rejected', refusal: { code: 'envelope_unreadable' } });
    expect(fixture.posts()).toBe(0);
  });
});

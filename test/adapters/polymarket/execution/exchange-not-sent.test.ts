import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { price, usdc } from '../../../support/builders.js';
import { aStage } from './exchange-stage.js';

let stage: Awaited<ReturnType<typeof aStage>>;
beforeEach(async () => {
  stage = await aStage();
});
afterEach(() => stage.close());

describe('no byte leaves', () => {
  test('for a sender that lost the order while it was frozen', async () => {
    const order = await stage.order();
    expect(
      await stage.exchange.place(
        order,
        () => false,
        async () => true,
      ),
    ).toMatchObject({
      kind: 'rejected',
      refusal: { code: 'not_sent' },
    });
    expect(stage.posts()).toBe(0);
  });

  test('for a sender that loses its order while awaiting a connection', async () => {
    await stage.close();
    stage = await aStage({ connections: 1 });
    const [first, second] = [await stage.order(), await stage.order()];
    const held = stage.venue.hold('POST /order', 'answer');
    const answered = stage.sends(first);
    await held.arrived;
    let isMine = true;
    const waiting = stage.exchange.place(
      second,
      () => isMine,
      async () => true,
    );
    await new Promise(setImmediate);
    isMine = false;
    held.release();
    expect(await answered).toMatchObject({ kind: 'accepted' });
    expect(await waiting).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    expect(stage.posts()).toBe(1);
  });

  test('once it is too late to send the order', async () => {
    const order = await stage.order();
    stage.time.now += 15_001;
    expect(await stage.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
    expect(stage.posts()).toBe(0);
  });

  test('to a venue that cannot be reached', async () => {
    const order = await stage.order();
    await stage.http.close();
    expect(await stage.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'not_sent' } });
  });

  test('for an order that the signer does not sign', async () => {
    const order = await stage.order({ size: usdc('50.5'), price: price('0.5') });
    expect(await stage.sends(order)).toMatchObject({ kind: 'rejected', refusal: { code: 'signing_refused' } });
    expect(stage.posts()).toBe(0);
  });

  test('for an envelope that gives another identity than the one on record', async () => {
    const [one, other] = [await stage.order(), await stage.order()];
    const forged = { ...one, intent: other.intent };
    expect(await stage.sends(forged)).toMatchObject({ kind: 'rejected', refusal: { code: 'envelope_unreadable' } });
    expect(stage.posts()).toBe(0);
  });
});

import { describe, expect, it } from 'vitest';
import { beginning } from '../../src/core/endpoint/delivery.js';
import {
  disabled,
  type Endpoint,
  removed,
  shownEndpoint,
  skipping,
  verified,
} from '../../src/core/endpoint/endpoint.js';
import type { OrderId } from '../../src/core/ids.js';
import { ALICE, BOB, NOON } from '../support/builders.js';
import { aDelivery, aWebhook } from '../support/builders-of-endpoints.js';
import { logOf } from './ledger-log.js';
import type { TestedLedger } from './opened.js';

const LATER = new Date(new Date(NOON).getTime() + 60_000);

const put = (ledger: TestedLedger, ...endpoints: readonly Endpoint[]) =>
  ledger.write({ account: endpoints[0]?.account ?? ALICE, endpoints: true }, () => ({ result: null, endpoints }));

/** Where events are sent to: what every store promises. */
export function ledgerEndpoints(open: () => TestedLedger): void {
  describe('where events are sent to', () => {
    it('comes back as it was, to its owner alone, oldest first', async () => {
      const ledger = open();
      const first = aWebhook({ types: ['order.fill', 'trading.state'], description: 'mine “1”' });
      const skipped = { from: 3, to: 4, orderId: 'order' as OrderId, because: 'passed' } as const;
      const second = { ...disabled(skipping(aWebhook(), skipped, LATER), 'It is gone.', LATER), startsAfter: 7 };
      const rotated = { ...second, secrets: { current: 'new', previous: { sealed: 'old', until: LATER } } };
      await put(ledger, first, rotated);
      expect(await ledger.endpoints.list(ALICE)).toEqual([first, rotated]);
      expect(await ledger.endpoints.find(ALICE, rotated.id)).toEqual(rotated);
      expect([await ledger.endpoints.list(BOB), await ledger.endpoints.find(BOB, first.id)]).toEqual([[], undefined]);
    });

    it('is seen in a write that names it, unless it was removed', async () => {
      const ledger = open();
      const [one, other, theirs] = [aWebhook(), aWebhook(), aWebhook({ account: BOB })];
      await put(ledger, one, other);
      await put(ledger, theirs);
      await put(ledger, removed(other, LATER));
      const seen = await ledger.read({ account: ALICE, endpoints: true }, (now) => [
        now.endpoints(),
        now.endpoint(one.id),
        now.endpoint(other.id),
        now.endpoint(theirs.id),
      ]);
      expect(seen).toEqual([[one], one, undefined, undefined]);
      expect(await ledger.read({ account: ALICE }, (now) => [...now.endpoints(), now.endpoint(one.id)])).toEqual([
        undefined,
      ]);
      expect(await ledger.endpoints.list(ALICE)).toEqual([one]);
      expect(await ledger.endpoints.find(ALICE, other.id)).toBeUndefined();
    });

    it('is listed for whoever sends, of all accounts, while it is active', async () => {
      const ledger = open();
      const [mine, other, theirs] = [aWebhook(), aWebhook(), aWebhook({ account: BOB })];
      await put(ledger, mine, other, aWebhook({ state: 'unverified' }), disabled(aWebhook(), 'No.', LATER));
      await put(ledger, theirs, removed(aWebhook({ account: BOB }), LATER));
      expect(await ledger.endpoints.listActive({ limit: 10 })).toEqual([mine, other, theirs]);
      expect(await ledger.endpoints.listActive({ limit: 1, after: mine })).toEqual([other]);
      expect(await ledger.endpoints.listActive({ limit: 9, after: other })).toEqual([theirs]);
    });

    it('is logged at each change, never with a secret', async () => {
      const ledger = open();
      const made = aWebhook({ state: 'unverified' });
      const skipped = { from: 3, to: 3, orderId: null, because: 'given_up' } as const;
      const changes = [
        made,
        verified(made, LATER),
        { ...verified(made, LATER), description: 'other' },
        skipping(verified(made, LATER), skipped, LATER),
        disabled(made, 'It is gone.', LATER),
        { ...made, state: 'active' as const },
        { ...made, state: 'unverified' as const },
        removed(made, LATER),
      ];
      for (const one of changes) await put(ledger, one);
      const log = await logOf(ledger);
      const happened = ['created', 'verified', 'changed', 'skipped', 'disabled', 'enabled', 'changed', 'removed'];
      expect(log.map(({ type }) => type)).toEqual(happened.map((name) => `webhook.${name}`));
      expect(log.map(({ subject }) => subject)).toEqual(
        changes.map((one) => ({ kind: 'webhook', endpoint: shownEndpoint(one) })),
      );
      expect(JSON.stringify(log)).not.toContain('sealed');
    });
  });

  describe('how far an endpoint has come', () => {
    it('comes back as it was, and is gone once it is forgotten', async () => {
      const { deliveries } = open().endpoints;
      const [webhook, other] = [aWebhook(), aWebhook()];
      const progress = {
        ...beginning(webhook, 5),
        urgentPassed: 9,
        heldUntil: LATER,
        failingSince: LATER,
        deliveredAt: LATER,
      };
      const failed = aDelivery(webhook, 6, { tries: 3, triedAt: LATER, status: 500, said: 'no “way”', isPassed: true });
      const ordered = aDelivery(webhook, 8, { orderId: 'order' as OrderId, nextAt: LATER });
      const done = aDelivery(webhook, 7, { nextAt: null, tries: 10 });
      await deliveries.store({ progress, put: [ordered, failed, done] });
      await deliveries.store({ progress: beginning(other, 1), put: [aDelivery(other, 2)] });
      const sorted = (all: readonly { endpointId: string }[]) =>
        [...all].sort((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
      expect(sorted(await deliveries.progress(ALICE))).toEqual(sorted([progress, beginning(other, 1)]));
      expect(await deliveries.progress(BOB)).toEqual([]);
      expect(await deliveries.waiting(webhook, 10)).toEqual([failed, ordered]);
      expect(await deliveries.waiting(webhook, 1)).toEqual([failed]);
      expect(await deliveries.list(webhook, { limit: 10 })).toEqual([ordered, done, failed]);
      expect(await deliveries.list(webhook, { limit: 10, after: 7 })).toEqual([failed]);
      await deliveries.store({ put: [{ ...failed, tries: 4 }], remove: [ordered] });
      expect(await deliveries.list(webhook, { limit: 10 })).toEqual([done, { ...failed, tries: 4 }]);
      await deliveries.forget(webhook);
      expect([await deliveries.list(webhook, { limit: 10 }), await deliveries.waiting(other, 10)]).toEqual([
        [],
        [aDelivery(other, 2)],
      ]);
      expect(await deliveries.progress(ALICE)).toEqual([beginning(other, 1)]);
    });

    it('forgets deliveries given up long ago, and none still to be retried', async () => {
      const { deliveries } = open().endpoints;
      const [webhook, theirs] = [aWebhook(), aWebhook({ account: BOB })];
      const givenUp = { nextAt: null, triedAt: LATER, tries: 10 };
      const before = new Date(LATER.getTime() - 1);
      const kept = [aDelivery(webhook, 3, { triedAt: before }), aDelivery(webhook, 2, givenUp)];
      const old = aDelivery(webhook, 1, { ...givenUp, triedAt: before });
      const never = aDelivery(webhook, 4, { nextAt: null });
      await deliveries.store({ put: [...kept, old, never] });
      await deliveries.store({ put: [aDelivery(theirs, 1, { ...givenUp, triedAt: before })] });
      expect(await deliveries.forgetGivenUp(LATER)).toBe(3);
      expect(await deliveries.list(webhook, { limit: 10 })).toEqual(kept);
      expect(await deliveries.list(theirs, { limit: 10 })).toEqual([]);
      expect(await deliveries.forgetGivenUp(LATER)).toBe(0);
    });

    it('only grows until its epoch is raised', async () => {
      const { deliveries } = open().endpoints;
      const webhook = aWebhook();
      const at = (passed: number, epoch: number) => ({ ...beginning(webhook, passed), epoch });
      const passed = async () => (await deliveries.progress(ALICE)).map((one) => [one.passed, one.epoch]);
      await deliveries.store({ progress: at(9, 0) });
      await deliveries.store({ progress: at(4, 0) });
      expect(await passed()).toEqual([[9, 0]]);
      await deliveries.store({ progress: at(2, 1) });
      expect(await passed()).toEqual([[2, 1]]);
      await deliveries.store({ progress: at(12, 0) });
      expect(await passed()).toEqual([[2, 1]]);
    });
  });
}

/** Handles on one store that change one endpoint at once. */
export function endpointRaces(open: () => readonly TestedLedger[]): void {
  it('concurrent changes of an endpoint each see the one before', async () => {
    const ledgers = open();
    const webhook = aWebhook();
    await put(ledgers[0] as TestedLedger, webhook);
    const change = (ledger: TestedLedger) =>
      ledger.write({ account: ALICE, endpoints: true }, (now) => {
        const before = now.endpoint(webhook.id) as Endpoint;
        return { result: null, endpoints: [{ ...before, description: `${before.description}x` }] };
      });
    await Promise.all(Array.from({ length: 20 }, () => ledgers.map(change)).flat());
    const after = await ledgers[0]?.endpoints.find(ALICE, webhook.id);
    expect(after?.description).toBe('x'.repeat(20 * ledgers.length));
  });
}

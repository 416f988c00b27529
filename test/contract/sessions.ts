import { describe, expect, it } from 'vitest';
import {
  ApiKeyAuthenticator,
  RandomKeyMaker,
  RandomSessionSecrets,
  RecentKeys,
  RecentSessions,
  SessionAuthenticator,
} from '../../src/adapters/auth/index.js';
import type { Session } from '../../src/core/access/session.js';
import { ManageKeys } from '../../src/core/usecases/accounts/manage-keys.js';
import { ManageSessions } from '../../src/core/usecases/accounts/manage-sessions.js';
import type { WholeStore } from '../../src/ports/ledger.js';
import { ALICE, BOB, clockAt, NOON } from '../support/builders.js';

const MINUTE = 60_000;
const at = (ms: number) => new Date(Date.parse(NOON) + ms);
const begun = (digest: string, changes: Partial<Session> = {}): Session => ({
  digest: digest.padEnd(64, '0'),
  keyId: 'key',
  startedAt: at(0),
  usedAt: at(0),
  ...changes,
});

export function sessions(open: () => WholeStore): void {
  describe('a session', () => {
    it('is found as it was begun, and not before', async () => {
      const store = open().sessions;
      const [one, other] = [begun('a'), begun('b', { keyId: 'other' })];
      expect(await store.find(one.digest)).toBeUndefined();
      await store.start(one);
      await store.start(other);
      expect([await store.find(one.digest), await store.find(other.digest)]).toEqual([one, other]);
    });

    it('keeps the latest of its uses, and nothing else of it changes', async () => {
      const store = open().sessions;
      const session = begun('a');
      await store.start(session);
      for (const ms of [MINUTE, 5 * MINUTE, 2 * MINUTE]) await store.use(session.digest, at(ms));
      expect(await store.find(session.digest)).toEqual({ ...session, usedAt: at(5 * MINUTE) });
    });

    it('once ended is not found, and no use restores it', async () => {
      const store = open().sessions;
      const [one, other] = [begun('a'), begun('b')];
      for (const session of [one, other]) await store.start(session);
      for (let times = 0; times < 2; times++) await store.end(one.digest);
      await store.use(one.digest, at(MINUTE));
      expect([await store.find(one.digest), await store.find(other.digest)]).toEqual([undefined, other]);
    });

    it('is forgotten after thirty idle minutes, and after twelve hours in all', async () => {
      const store = open().sessions;
      const [life, idle] = [12 * 60 * MINUTE, 30 * MINUTE];
      const busy = begun('busy', { usedAt: at(life - 1) });
      const quiet = begun('quiet', { startedAt: at(idle), usedAt: at(idle) });
      for (const session of [busy, quiet]) await store.start(session);
      expect(await store.forgetEnded(at(2 * idle - 1))).toBe(0);
      expect(await store.forgetEnded(at(2 * idle))).toBe(1);
      expect([await store.find(quiet.digest), await store.find(busy.digest)]).toEqual([undefined, busy]);
      expect([await store.forgetEnded(at(life - 1)), await store.forgetEnded(at(life))]).toEqual([0, 1]);
    });
  });
}

/** Servers that share a store, each with its own memory of what it was asked. */
export function sharedSessions(open: () => readonly [WholeStore, WholeStore?]): void {
  describe('a session on every server', () => {
    const fixture = async () => {
      const [one, other = one] = open();
      const [clock, secrets] = [clockAt(NOON), new RandomSessionSecrets('pepper')];
      let ms = 0;
      const server = (store: WholeStore) => {
        const [keys, recent] = [new RecentKeys(store, () => ms), new RecentSessions(store.sessions, () => ms)];
        const parts = { sessions: recent, keys, secrets, clock };
        const door = new SessionAuthenticator(parts, new ApiKeyAuthenticator(keys, 'pepper', clock));
        return {
          manage: new ManageSessions(parts),
          keys: new ManageKeys(store, keys, new RandomKeyMaker('pepper'), clock),
          says: async (session: string, authorization?: string) =>
            (await door.authenticate({ authorization, devUser: undefined, session })).kind,
        };
      };
      const [here, there] = [server(one), server(other)];
      const key = async (lifetimeMs: number | null = null) =>
        (
          await here.keys.create({
            by: ALICE,
            account: BOB,
            scopes: ['orders:read'],
            lifetimeMs,
            idempotencyKey: null,
          })
        ).key;
      const pass = (time: number) => {
        ms += time;
        clock.tick(time);
      };
      return { here, there, key, pass };
    };

    it('begun on one server is valid on another with its key’s scopes', async () => {
      const { here, there, key } = await fixture();
      const { id } = await key();
      const { text, session } = await here.manage.start(id);
      expect(await there.manage.find(text)).toEqual(session);
      expect(await here.says(text, 'Bearer nonsense')).toBe('invalid');
      expect(session).toMatchObject({ account: BOB, keyId: id, scopes: ['orders:read'] });
      expect([await here.says(text), await there.says(text)]).toEqual(['principal', 'principal']);
    });

    it("ends within a second of its key's revocation, or its own end", async () => {
      const { here, there, key, pass } = await fixture();
      const [revoked, kept] = [await key(), await key()];
      const texts: string[] = [];
      for (const { id } of [revoked, kept, kept]) texts.push((await here.manage.start(id)).text);
      for (const text of texts)
        expect([await here.says(text), await there.says(text)]).toEqual(['principal', 'principal']);
      await here.keys.revoke(revoked.id);
      await here.manage.end(texts[1] ?? '');
      const said = (server: typeof here) => Promise.all(texts.map((text) => server.says(text)));
      expect(await said(here)).toEqual(['invalid', 'invalid', 'principal']);
      pass(999);
      expect(await said(there)).toEqual(['invalid', 'invalid', 'principal']);
    });

    it('ends after thirty idle minutes, after twelve hours, and with its key', async () => {
      const { here, there, key, pass } = await fixture();
      const [idle, long, short] = [await key(), await key(), await key(20 * MINUTE)];
      const started = [];
      for (const { id } of [idle, long, short]) started.push(await here.manage.start(id));
      const [unused, used, expiring] = started.map(({ text }) => text) as [string, string, string];
      expect(started[2]?.session).toMatchObject({ idleAt: short.expiresAt, endsAt: short.expiresAt });
      pass(20 * MINUTE);
      const found = await Promise.all([unused, used, expiring].map((text) => here.manage.find(text)));
      expect(found.map((session) => session?.keyId)).toEqual([idle.id, long.id, undefined]);
      expect([await there.says(used), await there.says(expiring)]).toEqual(['principal', 'invalid']);
      pass(10 * MINUTE);
      expect([await here.says(used), await here.says(unused)]).toEqual(['principal', 'invalid']);
      for (let minutes = 30; minutes < 12 * 60 - 20; minutes += 20) {
        pass(20 * MINUTE);
        expect(await here.says(used)).toBe('principal');
      }
      pass(20 * MINUTE);
      expect([await here.says(used), await there.says(used)]).toEqual(['invalid', 'invalid']);
    });

    it('cannot begin with a key that may not be used any more', async () => {
      const { here, key } = await fixture();
      const { id } = await key();
      await here.keys.revoke(id);
      await expect(here.manage.start(id)).rejects.toThrow('key');
    });
  });
}

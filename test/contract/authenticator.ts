import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AUTH_SCOPES } from '../../src/core/access/principal.js';
import type { Authenticator, Credentials } from '../../src/ports/authenticator.js';

/** An authenticator to be held to the contract, and what is needed to try it. */
export interface Gate {
  readonly authenticator: Authenticator;
  /** Credentials that it accepts, and the account that they are. */
  readonly good: Credentials;
  readonly account: string;
  /** The header that names the caller; the other must have no effect. */
  readonly header: keyof Credentials;
  /** What it answers to a caller without credentials. */
  readonly nobody: 'missing' | 'principal';
  close?(): Promise<void>;
}

const NOTHING: Credentials = { authorization: undefined, devUser: undefined };
const KINDS = ['principal', 'missing', 'invalid', 'unavailable'];

/** The requirements of every authenticator. */
export function authenticatorContract(name: string, open: () => Promise<Gate>): void {
  describe(`Authenticator: ${name}`, () => {
    let gate: Gate;
    const other = () => (gate.header === 'authorization' ? 'devUser' : 'authorization');

    beforeEach(async () => {
      gate = await open();
    });
    afterEach(async () => {
      await gate.close?.();
    });

    it('knows the account of valid credentials, every time', async () => {
      const first = await gate.authenticator.authenticate(gate.good);
      const second = await gate.authenticator.authenticate(gate.good);
      expect(first).toMatchObject({ kind: 'principal', principal: { account: gate.account } });
      expect(second).toEqual(first);
    });

    it('grants no scope that is not in the list', async () => {
      const found = await gate.authenticator.authenticate(gate.good);
      const scopes = found.kind === 'principal' ? [...found.principal.scopes] : [];
      expect(scopes).not.toEqual([]);
      expect(AUTH_SCOPES).toEqual(expect.arrayContaining(scopes));
    });

    it('has one answer for a caller without credentials', async () => {
      const found = await gate.authenticator.authenticate(NOTHING);
      expect(found.kind).toBe(gate.nobody);
    });

    it('takes an empty header for invalid credentials', async () => {
      const found = await gate.authenticator.authenticate({ ...NOTHING, [gate.header]: '' });
      expect(found).toEqual({ kind: 'invalid' });
    });

    it('pays no attention to the header of the other mode', async () => {
      const alone = await gate.authenticator.authenticate(gate.good);
      for (const text of ['', 'mallory', 'Bearer mallory', '\0']) {
        expect(await gate.authenticator.authenticate({ ...gate.good, [other()]: text })).toEqual(alone);
        const found = await gate.authenticator.authenticate({ ...NOTHING, [other()]: text });
        expect(found.kind).toBe(gate.nobody);
      }
    });

    it('answers, and never throws, on any input', async () => {
      await fc.assert(
        fc.asyncProperty(hostile(gate.good[gate.header] ?? ''), async (text) => {
          const found = await gate.authenticator.authenticate({ ...NOTHING, [gate.header]: text });
          expect(KINDS).toContain(found.kind);
          if (found.kind === 'principal') expect(found.principal.account).toMatch(/^[A-Za-z0-9][\w.@+:-]{0,127}$/);
        }),
        { numRuns: 300 },
      );
    });
  });
}

/** Anything a socket can carry, and good credentials with a piece cut out or put in. */
function hostile(good: string): fc.Arbitrary<string> {
  const noise = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string({ maxLength: 10_000 }),
  );
  const place = fc.nat({ max: good.length });
  const damaged = fc.tuple(place, place, fc.string({ unit: 'binary', maxLength: 4 }));
  return fc.oneof(
    noise,
    noise.map((text) => `Bearer ${text}`),
    noise.map((text) => `Bearer sp_${text}`),
    noise.map((text) => `Bearer ${Buffer.from(text).toString('base64url')}.${text}.${text}`),
    damaged.map(([from, to, piece]) => good.slice(0, from) + piece + good.slice(to)),
  );
}

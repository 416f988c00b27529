import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RandomKeyMaker } from '../../../src/adapters/auth/index.js';

const PEPPER = 'a pepper for tests alone';

describe('RandomKeyMaker', () => {
  it('makes a key of prefix, id without underscore and 256-bit secret', () => {
    const { id, text } = new RandomKeyMaker(PEPPER).issue();
    expect(id).toMatch(/^[0-9a-f]{20}$/);
    expect(text.startsWith(`sp_${id}_`)).toBe(true);
    const secret = text.slice(`sp_${id}_`.length);
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('stores only an HMAC-SHA-256 of the secret under the pepper', () => {
    const { text, digest } = new RandomKeyMaker(PEPPER).issue();
    const secret = text.slice(-43);
    expect(digest).toBe(createHmac('sha256', PEPPER).update(secret).digest('hex'));
  });

  it('makes ids that sort by creation time, and never repeats a secret', () => {
    const maker = new RandomKeyMaker(PEPPER);
    const keys = Array.from({ length: 1000 }, () => maker.issue());
    const ids = keys.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(1000);
    expect(new Set(keys.map(({ text }) => text.slice(-43))).size).toBe(1000);
  });
});

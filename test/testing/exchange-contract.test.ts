import { AssertionError } from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { exchangeContract } from '../../src/testing/index.js';
import { HonestExchange } from './honest-exchange.js';
import { LIARS } from './lying-exchanges.js';

const honest = exchangeContract(async () => ({ exchange: new HonestExchange() }));

describe('The exchange contract', () => {
  it.each(honest)('passes an honest venue: $name', ({ check }) => expect(check()).resolves.toBeUndefined());

  it.each(LIARS)('catches a venue that violates "$promise": it $lie', async ({ promise, exchange }) => {
    const checks = exchangeContract(async () => ({ exchange: exchange() }));
    const broken = checks.find(({ name }) => name === promise);
    await expect(broken?.check()).rejects.toThrow(AssertionError);
  });

  it('has a liar for every promise', () => {
    expect(new Set(LIARS.map(({ promise }) => promise))).toEqual(new Set(honest.map(({ name }) => name)));
  });

  it('closes the venue after each check, also when the check fails', async () => {
    let open = 0;
    const close = async () => {
      open -= 1;
    };
    const checks = exchangeContract(async () => {
      open += 1;
      return { exchange: new HonestExchange((answer) => ({ ...answer, venueOrderId: '' })), close };
    });
    const outcomes = await Promise.allSettled(checks.map(({ check }) => check()));
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    expect(open).toBe(0);
  });
});

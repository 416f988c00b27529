import { describe, expect, it } from 'vitest';
import { deciderBefore, isNewer } from '../../../src/core/ledger/program.js';

const OLDEST_FIRST = ['0.9.0', '0.10.0-alpha.2', '0.10.0-alpha.10', '0.10.0', '0.10.1', '1.0.0', '10.0.0'];

describe('Versions of the program', () => {
  it('are compared as numbers, each after what came before its release', () => {
    for (const [at, version] of OLDEST_FIRST.entries())
      for (const [n, other] of OLDEST_FIRST.entries())
        expect(isNewer(version, other), `${version} ${other}`).toBe(at > n);
  });
});

describe('Of programs that share a store', () => {
  const aProgram = (version: string, automates = true) => ({ owner: `${version} ${automates}`, version, automates });

  it.each([
    ['an older one leaves the decisions to a newer one', aProgram('0.9.0'), [aProgram('0.10.0', false)], '0.10.0'],
    ['the newest of several decides', aProgram('0.9.0'), [aProgram('0.11.0'), aProgram('0.10.0')], '0.11.0'],
    [
      'one without strategies leaves them to one that runs them',
      aProgram('1.0.0', false),
      [aProgram('1.0.0')],
      '1.0.0',
    ],
    ['one that is newer than all others decides', aProgram('1.0.0', false), [aProgram('0.9.0')], null],
    ['one that is as new as another decides', aProgram('1.0.0'), [aProgram('1.0.0'), aProgram('1.0.0', false)], null],
    ['one alone decides', aProgram('1.0.0', false), [], null],
  ])('%s', (_, own, alive, version) => {
    expect(deciderBefore(own, [own, ...alive])).toBe(version);
  });
});

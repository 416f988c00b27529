import { describe, expect, it } from 'vitest';
import { isNewer, rankOf, versionIn } from '../../../src/core/ledger/program.js';

const OLDEST_FIRST = ['0.9.0', '0.10.0-alpha.2', '0.10.0-alpha.10', '0.10.0', '0.10.1', '1.0.0', '10.0.0'];

describe('Versions of the program', () => {
  it('are compared as numbers, each after what came before its release', () => {
    for (const [at, version] of OLDEST_FIRST.entries())
      for (const [n, other] of OLDEST_FIRST.entries())
        expect(isNewer(version, other), `${version} ${other}`).toBe(at > n);
  });
});

describe('Programs that share a store', () => {
  it('rank by the steps of the schema, then by version, then by whether they run strategies', () => {
    const [old, young] = [{ version: '0.9.0' }, { version: '0.10.0' }];
    const ranks = [
      rankOf({ ...old, automates: false }, 9),
      rankOf({ ...old, automates: true }, 9),
      rankOf({ ...young, automates: false }, 9),
      rankOf({ ...young, automates: true }, 9),
      rankOf({ ...old, automates: false }, 10),
    ];
    expect(ranks.toSorted()).toEqual(ranks);
    expect(ranks.map(versionIn)).toEqual(['0.9.0', '0.9.0', '0.10.0', '0.10.0', '0.9.0']);
  });
});

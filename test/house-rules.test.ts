import { describe, expect, test } from 'vitest';
import { namesExportedTwice } from './support/export-names.js';
import { HOUSE_RULES } from './support/house-rules.js';
import { parse, sourcesIn } from './support/sources.js';

const sources = sourcesIn('src', 'test', 'examples', 'bench');

describe.each(HOUSE_RULES)('$promise', ({ binds, breaches, probe }) => {
  test('in the whole project', () => {
    const bound = sources.filter(({ path }) => binds.test(path));
    expect(bound.length).toBeGreaterThan(4);
    expect(bound.flatMap(breaches)).toEqual([]);
  });

  test('and the probe is caught', () => {
    expect(probe.path).toMatch(binds);
    expect(breaches(parse(probe.path, probe.text))).toHaveLength(1);
  });
});

describe('A name stands for one thing', () => {
  test('no two files of src export the same one', () => {
    expect(namesExportedTwice(sourcesIn('src'))).toEqual([]);
  });

  test('a name exported twice is caught, even a type and a value', () => {
    const probes = [
      parse('src/core/a.ts', 'export const order = 1; const own = 2;'),
      parse('src/core/b.ts', 'export interface order {} export { own } from "./c.js";'),
    ];
    expect(namesExportedTwice(probes)).toEqual(['order: src/core/a.ts, src/core/b.ts']);
  });
});

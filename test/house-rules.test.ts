import { describe, expect, test } from 'vitest';
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

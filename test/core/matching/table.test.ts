import { describe, expect, it } from 'vitest';
import { matchingRows, played } from './rows.js';

const rows = matchingRows();

describe('An order meets the fate that was worked out by hand', () => {
  it('in at least 45 distinct rows, each with its arithmetic', () => {
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(45);
    expect(rows.filter(({ comment }) => comment.length < 20)).toEqual([]);
  });

  it.each(rows)('$name', (row) => {
    expect(played(row)).toEqual(row.expect);
  });
});

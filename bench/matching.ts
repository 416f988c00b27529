import { TWO_MAPS, updatedMatcher } from './book-updates.js';
import { only } from './figures.js';
import { LEVELS } from './generated-book.js';
import { ONE_MAP, plainTaking, resting, taking } from './matched-orders.js';
import { type Contender, interleaved, median, type Part, ratio, table, whole } from './rounds.js';

interface Comparison {
  readonly title: string;
  readonly unit: string;
  /** Each group begins with the contender that the others are compared with. */
  readonly groups: readonly (readonly Contender<number>[])[];
}

const COMPARISONS: readonly Comparison[] = [
  {
    title: 'Updates of one level',
    unit: 'updates a second of processor time',
    groups: [[TWO_MAPS, updatedMatcher(0), updatedMatcher(10), updatedMatcher(100)]],
  },
  {
    title: 'Orders that fill at once, with their fees',
    unit: 'orders a second of processor time',
    groups: [1, 5].map((levels) => [plainTaking(levels), taking(levels)]),
  },
  {
    title: 'Orders that come to rest and are cancelled',
    unit: 'orders a second of processor time',
    groups: [[ONE_MAP, resting(0), resting(100)]],
  },
];

/** The matching core alone, in one thread and without storage, compared with a minimal program. */
export const matching: Part = async ({ rounds }) => {
  const parts: string[] = [`Matching core: one market, ${LEVELS} levels a side`];
  for (const { title, unit, groups } of COMPARISONS) {
    const all = groups.flat();
    await interleaved(all, 1);
    const speeds = await interleaved(all, rounds);
    const rows = groups.flatMap((group) =>
      group.map(({ name }) => {
        const base = speeds(group[0]?.name ?? name);
        return [name, whole(median(speeds(name))), ratio(speeds(name), base).toFixed(3)];
      }),
    );
    parts.push(`${title}\n\n${table(['', unit, 'x the least'], rows)}`);
  }
  return only(parts.join('\n\n'));
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { headerText, LINES, RECORDED } from '../../src/adapters/tape/tape-line.js';
import { ROOT } from '../support/build.js';

const PAGE = readFileSync(join(ROOT, 'src/adapters/tape/tape-format.md'), 'utf8');

/** A part of the description by which a tape is read. */
interface Described {
  readonly entries?: Readonly<Record<string, Described>>;
  readonly wrapped?: Described;
  readonly item?: Described;
  readonly items?: readonly Described[];
  readonly pipe?: readonly Described[];
}

/** The names of all members, at any depth. */
function membersOf({ entries = {}, wrapped, item, items = [], pipe = [] }: Described): string[] {
  const parts = [
    ...Object.values(entries),
    ...items,
    ...pipe.slice(0, 1),
    ...[wrapped, item].filter((part) => part !== undefined),
  ];
  return [...Object.keys(entries), ...parts.filter((part) => part.pipe?.[0] !== part).flatMap(membersOf)];
}

const FIRST = JSON.parse(headerText({ recordedAt: new Date(0), venue: 'v', source: RECORDED }));
const HEADER = [...Object.keys(FIRST), ...Object.keys(FIRST.source)];
const members = [...HEADER, ...Object.values(LINES as Readonly<Record<string, Described>>).flatMap(membersOf)];

it.each([...new Set(members)])('tape-format.md describes the member %s of a line', (member) =>
  expect(PAGE).toMatch(new RegExp(`["\`.]${member}["\`]`)),
);

it('tape-format.md describes each kind of line', () => {
  expect(members).toEqual(expect.arrayContaining(['recorded_at', 'quote_step', 'bids', 'm', 'alive']));
  for (const kind of Object.keys(LINES)) expect(PAGE).toMatch(new RegExp(`^\\| \`"${kind}":`, 'm'));
});

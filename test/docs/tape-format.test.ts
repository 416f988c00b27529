import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { marketLine } from '../../src/adapters/tape/market-line.js';
import { ROOT } from '../support/build.js';

const PAGE = readFileSync(join(ROOT, 'docs/tape-format.md'), 'utf8');

/** A part of the description by which a tape is read. */
interface Described {
  readonly entries?: Readonly<Record<string, Described>>;
  readonly wrapped?: Described;
  readonly items?: readonly Described[];
  readonly pipe?: readonly Described[];
}

/** The names of all members, at any depth. */
function membersOf({ entries = {}, wrapped, items = [], pipe = [] }: Described): string[] {
  const parts = [...Object.values(entries), ...items, ...pipe.slice(0, 1), ...(wrapped === undefined ? [] : [wrapped])];
  return [...Object.keys(entries), ...parts.filter((part) => part.pipe?.[0] !== part).flatMap(membersOf)];
}

it.each([...new Set(membersOf((marketLine as { readonly pipe: readonly Described[] }).pipe[0] ?? {}))])(
  'docs/tape-format.md describes the member %s of a market',
  (member) => expect(PAGE).toMatch(new RegExp(`["\`.]${member}["\`]`)),
);

/** Writes the figures of `npm run bench -- --json > FILE` into docs/performance.md: `npm run bench:page FILE`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/support/build.js';
import { FIGURE_HEAD, figureRows } from './figures.js';
import { machineLine } from './machine.js';
import type { Report } from './report.js';
import { table } from './rounds.js';

const PAGE = join(ROOT, 'docs/performance.md');
const BEGIN = '<!-- figures: written by npm run bench:page -->';
const END = '<!-- end of the figures -->';

/** The document, behind what npm prints before it; NaN is null in JSON. */
function reportIn(path: string): Report {
  const text = readFileSync(path, 'utf8');
  return JSON.parse(text.slice(text.indexOf('{')), (_, value) => value ?? Number.NaN);
}

function shown({ date, machine, options, parts }: Report): string {
  const all = Object.values(parts).filter(({ figures }) => figures.length > 0);
  const { rounds, seconds, connections } = options;
  return [
    `Measured on ${date.slice(0, 10)} at ${date.slice(11, 16)} UTC: ${machineLine(machine)} (the load average of 15 minutes).`,
    `${rounds} interleaved rounds of ${seconds} s, ${connections} connections.`,
    '',
    table(
      FIGURE_HEAD,
      all.flatMap(({ figures }) => figureRows(figures)),
    ),
    ...all.map(({ text }) => `\n${text}`),
  ].join('\n');
}

const [, , path = ''] = process.argv;
if (path === '') throw new Error('Name the file: npm run bench:page FILE');
const page = readFileSync(PAGE, 'utf8');
const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
if (begin < 0 || end < begin) throw new Error(`${PAGE} lacks the lines ${BEGIN} and ${END}`);
writeFileSync(PAGE, `${page.slice(0, begin)}${BEGIN}\n${shown(reportIn(path))}\n${page.slice(end)}`);

/** Writes the figures of `npm run bench -- --json > FILE`, and what an order costs, into docs/performance.md: `npm run bench:page FILE`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../test/support/build.js';
import { COSTS, FIGURE_HEAD, figureRows, LOG_BYTES } from './figures.js';
import { machineLine } from './machine.js';
import type { Report } from './report.js';
import { median, table, whole } from './rounds.js';

const PAGE = join(ROOT, 'docs/performance.md');
/** Orders a second that docs/performance.md calculates for. */
const GOAL = 100_000;

/** The document, behind what npm prints before it; a round that was not measured is null in JSON. */
function reportIn(path: string): Report {
  const text = readFileSync(path, 'utf8');
  return JSON.parse(text.slice(text.indexOf('{')), (key, value) =>
    value === null && /^\d+$/.test(key) ? Number.NaN : value,
  );
}

const measuredOn = ({ date, machine }: Report): string =>
  `Measured on ${date.slice(0, 10)} at ${date.slice(11, 16)} UTC: ${machineLine(machine)} (the load average of 15 minutes).`;

function figuresOf(report: Report): string {
  const { options, parts } = report;
  const all = Object.values(parts).filter(({ figures }) => figures.length > 0);
  const { rounds, seconds, connections } = options;
  return [
    measuredOn(report),
    `${rounds} interleaved rounds of ${seconds} s, ${connections} connections.`,
    '',
    table(
      FIGURE_HEAD,
      all.flatMap(({ figures }) => figureRows(figures)),
    ),
  ].join('\n');
}

function costsOf(report: Report): string {
  const figures = Object.values(report.parts).flatMap((part) => part.figures);
  const medianOf = (name: string) => median(figures.find((figure) => figure.name === name)?.rounds ?? []);
  const { sqliteMain, sqliteOthers, postgresMain, postgresOthers, postgresDatabase } = COSTS;
  const sqlite = [medianOf(sqliteMain), medianOf(sqliteOthers)] as const;
  const postgres = [medianOf(postgresMain), medianOf(postgresOthers)] as const;
  const database = medianOf(postgresDatabase);
  const shown = (number: number) => (Number.isNaN(number) ? 'not measured' : whole(number));
  const cores = (cost: number) => shown(Math.ceil((cost * GOAL) / 1e6));
  const rows = [
    ['main thread of node, µs an order', shown(sqlite[0]), shown(postgres[0])],
    ['other threads of node, µs an order', shown(sqlite[1]), shown(postgres[1])],
    ["Postgres' processes, µs an order", '', shown(database)],
    ['orders a second of one server, if nothing else limits it', shown(1e6 / sqlite[0]), shown(1e6 / postgres[0])],
    [`servers for ${whole(GOAL)} orders a second`, 'not possible', cores(postgres[0])],
    [`cores for all of these servers`, '', cores(postgres[0] + postgres[1])],
    [`cores of Postgres, all its machines together`, '', cores(database)],
    ['bytes of the log of Postgres, an order', '', shown(medianOf(LOG_BYTES))],
    [`the same, MB a second`, '', shown((medianOf(LOG_BYTES) * GOAL) / 1e6)],
  ];
  return [measuredOn(report), '', table(['', 'SQLite', 'Postgres'], rows)].join('\n');
}

/** Puts a text between the two lines of the page that name the part. */
function write(part: 'figures' | 'costs', text: string): void {
  const [first, last] = [`<!-- ${part}: written by npm run bench:page -->`, `<!-- end of the ${part} -->`];
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = [page.indexOf(first), page.indexOf(last)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} lacks the lines ${first} and ${last}`);
  writeFileSync(PAGE, `${page.slice(0, begin)}${first}\n${text}\n${page.slice(end)}`);
}

const [, , path = ''] = process.argv;
if (path === '') throw new Error('Name the file: npm run bench:page FILE');
const report = reportIn(path);
write('figures', figuresOf(report));
write('costs', costsOf(report));

import { readFileSync } from 'node:fs';
import { IMPORTERS, type ImportOptions, importTape } from '../../../src/adapters/import/import-tape.js';
import { EVENT, MARKET, MILESTONE, OTHER_MARKET, SERIES } from '../../support/fake-kalshi/records.js';
import { written } from '../../support/pmxt-files.js';
import { type KalshiArchiveRow, pmxtKalshiHour } from '../../support/pmxt-kalshi-files.js';
import { fresh } from './importing.js';

type Json = Readonly<Record<string, unknown>>;

/** When the hour of the fixtures begins. */
export const HOUR = Date.UTC(2027, 0, 16, 18);
export const BADGERS = String(MARKET['ticker']);
export const OTTERS = String(OTHER_MARKET['ticker']);

/** Answers of the venue about a game, one a line, with its two markets changed like this. */
export const metaFile = (
  changes: Json = {},
  { event = {}, series = {} }: { event?: Json; series?: Json } = {},
): string =>
  written(
    fresh('markets.jsonl'),
    [
      { market: { ...MARKET, ...changes } },
      { market: { ...OTHER_MARKET, ...changes } },
      { event: { ...EVENT, ...event } },
      { series: { ...SERIES, ...series } },
      { milestones: [MILESTONE], cursor: '' },
    ]
      .map((answer) => `${JSON.stringify(answer)}\n`)
      .join(''),
  );

export const hourOfKalshi = (
  rows: readonly KalshiArchiveRow[],
  storing: Parameters<typeof pmxtKalshiHour>[1] = {},
  at = HOUR,
) =>
  written(fresh(`kalshi_orderbook_${new Date(at).toISOString().slice(0, 13)}.parquet`), pmxtKalshiHour(rows, storing));

/** A whole book, in a batch that was received so many milliseconds after the hour began. */
export const snapshot = (
  batch: number,
  yes: KalshiArchiveRow['yes'],
  no: KalshiArchiveRow['no'],
  ticker = BADGERS,
): KalshiArchiveRow => ({
  at: HOUR + batch,
  ticker,
  yes: yes ?? [],
  no: no ?? [],
});

/** A change of a level, so many milliseconds after the hour began by the venue's clock. */
export const delta = (
  batch: number,
  source: number,
  side: string,
  price: string,
  change: string,
  ticker = BADGERS,
): KalshiArchiveRow => ({ at: HOUR + batch, micros: (HOUR + source) * 1000, ticker, side, price, delta: change });

export const BOOK = (batch = 400, ticker = BADGERS) =>
  snapshot(
    batch,
    [
      ['0.4600', '10'],
      ['0.4700', '3'],
    ],
    [['0.4800', '3']],
    ticker,
  );
/** What stands as a book of 0.47 × 3, 0.46 × 10 against 0.52 × 3. */
export const AS_BOOK = {
  bids: [
    ['0.46', '10'],
    ['0.47', '3'],
  ],
  asks: [['0.52', '3']],
};

/** What an import of a kind makes of files. */
export async function importedAs(kind: string, files: readonly string[], changes: Partial<ImportOptions> = {}) {
  const importer = IMPORTERS.find((one) => one.kind === kind) as (typeof IMPORTERS)[number];
  const out = fresh('tape.jsonl');
  const report = await importTape({
    importer,
    files,
    markets: [BADGERS],
    meta: metaFile(),
    out,
    anySize: true,
    ...changes,
  });
  const [header, ...lines] = readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  const changesOf = lines.filter((line) => !('alive' in line) && !('market' in line));
  return {
    out,
    report,
    header,
    lines,
    alive: lines.filter((line) => 'alive' in line).length,
    markets: lines.filter((line) => 'market' in line),
    said: changesOf.map(({ t, m: _, ...rest }) => [t - HOUR, rest]),
  };
}

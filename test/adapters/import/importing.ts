import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMPORTERS, type ImportOptions, importTape } from '../../../src/adapters/import/import-tape.js';
import { type PmxtRow, pmxtHour, pmxtMarket, type Storing, written } from '../../support/pmxt-files.js';

/** When the hour of the fixtures begins. */
export const HOUR = Date.UTC(2026, 5, 26, 2);
export const HOUR_MS = 3_600_000;
const [PMXT] = IMPORTERS as [(typeof IMPORTERS)[number]];
const FOLDER = mkdtempSync(join(tmpdir(), 'stakeport-import-'));
/** Removes what a file of tests wrote. */
export const removeFiles = (): void => rmSync(FOLDER, { recursive: true, force: true });

let made = 0;
export const fresh = (name: string): string => {
  mkdirSync(FOLDER, { recursive: true });
  made += 1;
  return join(FOLDER, `${made}-${name}`);
};
export const named = (at: number) => fresh(`polymarket_orderbook_${new Date(at).toISOString().slice(0, 13)}.parquet`);
export const hourFile = (rows: readonly PmxtRow[], storing?: Storing, at = HOUR) =>
  written(named(at), pmxtHour(rows, storing));
const metaFile = () =>
  written(fresh('markets.jsonl'), [1, 2].map((number) => `${JSON.stringify(pmxtMarket(number))}\n`).join(''));
export const [HOME = '', AWAY = ''] = pmxtMarket(1).outcomes.map(({ token_id }) => token_id);
export const MARKET = pmxtMarket(1).id;

export interface Imported extends Awaited<ReturnType<typeof importTape>> {
  /** Lines after the first, without those that say that the archive was alive. */
  readonly lines: readonly { readonly t: number; readonly m?: string; readonly [member: string]: unknown }[];
  readonly text: string;
}

export async function imported(files: readonly string[], changes: Partial<ImportOptions> = {}): Promise<Imported> {
  const out = changes.out ?? fresh('tape.jsonl');
  const report = await importTape({
    importer: PMXT,
    files,
    markets: 'all',
    meta: metaFile(),
    out,
    anySize: true,
    ...changes,
  });
  const text = readFileSync(out, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Imported['lines'][number]);
  return { ...report, text, lines: lines.filter((line) => !('alive' in line)) };
}

export const refusal = (files: readonly string[], changes: Partial<ImportOptions> = {}) =>
  imported(files, changes).then(
    () => 'nothing was refused',
    (error: Error) => error.message,
  );

/** Rows of the first market: what is said beside its token and time. */
export const own = (
  at: number,
  row: Omit<PmxtRow, 'at' | 'market' | 'token'> & { readonly token?: string },
): PmxtRow => ({
  at: HOUR + at,
  market: MARKET,
  token: HOME,
  ...row,
});
export const book = (at: number, bids: PmxtRow['bids'], asks: PmxtRow['asks'], token = HOME) =>
  own(at, { type: 'book', bids: bids ?? [], asks: asks ?? [], token });
export const change = (
  at: number,
  side: 'BUY' | 'SELL',
  price: string,
  size: string,
  best: readonly [string, string],
) => own(at, { type: 'price_change', side, price, size, bestBid: best[0], bestAsk: best[1] });
export const match = (at: number, side: 'BUY' | 'SELL', price: string, size: string, hash: string, token = HOME) =>
  own(at, { type: 'last_trade_price', side, price, size, hash, token });
export const WHOLE = book(
  0,
  [
    ['0.4', '100'],
    ['0.39', '50'],
  ],
  [
    ['0.42', '60'],
    ['0.43', '70'],
  ],
);
/** What a tape says after the market itself. */
export const said = ({ lines }: Imported) =>
  lines.filter((line) => !('market' in line)).map(({ t, m: _, ...rest }) => [t - HOUR, rest]);

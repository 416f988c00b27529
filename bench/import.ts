import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { writeArchiveHour } from './archive-hour.js';
import { atMost, type Findings } from './figures.js';
import { interleaved, median, ratio, table, whole } from './rounds.js';

const ROWS = 1_000_000;
const MARKETS = 200;
const COLUMNS = [
  ...['timestamp_received', 'timestamp', 'market', 'event_type', 'asset_id', 'bids', 'asks', 'price', 'size'],
  ...['side', 'best_bid', 'best_ask', 'transaction_hash', 'new_tick_size'],
];

/** What a program took: processor time in seconds, and the most memory in megabytes. */
interface Taken {
  readonly seconds: number;
  readonly megabytes: number;
}

/** An import of a million rows in one part, all markets wanted, beside hyparquet reading the same columns and making nothing of them. */
export async function imports(folder: string, rounds: number): Promise<Findings> {
  const [file, meta] = [join(folder, 'polymarket_orderbook_2026-06-26T02.parquet'), join(folder, 'markets.jsonl')];
  await writeArchiveHour({ file, meta }, { markets: MARKETS, rows: ROWS });
  const out = join(folder, 'imported.jsonl');
  const ours = `
    import { rmSync } from 'node:fs';
    import { IMPORTERS, importTape } from ${JSON.stringify(join(import.meta.dirname, '../dist/adapters/import/import-tape.js'))};
    const options = { importer: IMPORTERS[0], files: [${JSON.stringify(file)}], markets: 'all', meta: ${JSON.stringify(meta)}, out: ${JSON.stringify(out)}, anySize: true };
    const { counts } = await importTape(options);
    if (counts.rows < ${ROWS / 2}) throw new Error('rows were not imported');
    rmSync(${JSON.stringify(out)});`;
  const alone = `
    import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
    import { compressors } from 'hyparquet-compressors';
    const file = await asyncBufferFromFile(${JSON.stringify(file)});
    const metadata = await parquetMetadataAsync(file);
    for (const element of metadata.schema)
      if (/^(DECIMAL|TIMESTAMP)/.test(element.converted_type ?? '')) { delete element.converted_type; delete element.logical_type; }
    let values = 0;
    await parquetRead({ file, metadata, compressors, columns: ${JSON.stringify(COLUMNS)}, onChunk: ({ columnData }) => { values += columnData.length; } });
    if (values !== ${ROWS * COLUMNS.length}) throw new Error('columns were not read');`;
  const contenders = [
    { name: 'hyparquet alone', run: () => taken(alone) },
    { name: 'stakeport import', run: () => taken(ours) },
  ];
  const measured = await interleaved(contenders, rounds);
  const seconds = (name: string) => measured(name).map((one) => one.seconds);
  const most = (name: string) => measured(name).map(({ megabytes }) => megabytes);
  const [base, own] = ['hyparquet alone', 'stakeport import'];
  const rows = [base, own].map((name) => [
    name,
    median(seconds(name)).toFixed(1),
    ratio(seconds(name), seconds(base)).toFixed(2),
    whole(median(most(name))),
  ]);
  const ratios = seconds(own).map((one, round) => one / (seconds(base)[round] ?? Number.NaN));
  return {
    text: `An import of ${whole(ROWS)} rows\n\n${table(['', 'seconds of processor time', '× hyparquet', 'most memory, MB'], rows)}`,
    figures: [
      {
        name: 'import of a million rows, × hyparquet alone',
        unit: '',
        aim: atMost(2),
        rounds: ratios,
        byProcessorTime: ratios,
      },
      { name: 'most memory of that import', unit: 'MB', aim: null, rounds: most(own), byProcessorTime: [] },
    ],
  };
}

function taken(program: string): Taken {
  const measure = `
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ seconds: (user + system) / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 }));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program + measure], {
    encoding: 'utf8',
  });
  return JSON.parse(said) as Taken;
}

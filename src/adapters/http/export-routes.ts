import type { ServerResponse } from 'node:http';
import type * as v from 'valibot';
import type { AccountId } from '../../core/ids.js';
import type { ExportedRows, ExportFilter, ExportRecords } from '../../core/usecases/exports/export-records.js';
import { betOut } from './bet-wire.js';
import {
  BETS_CSV,
  type CsvTable,
  exportedMoveOut,
  exportedOrderOut,
  exportFilters,
  JOURNAL_CSV,
  ORDERS_CSV,
} from './export-wire.js';
import { Problem } from './problem.js';
import { CSV_TYPE, type Route, route, type StreamReply } from './route.js';
import { members } from './schema.js';

const BASE = '/v1/export';
/** Exports of an account at once. */
const MOST_AT_ONCE = 2;

/** Everything under `/v1/export`. */
export function exportRoutes(records: ExportRecords): Route[] {
  const running = new Running();
  const common = { records, running };
  return [
    download({
      ...common,
      name: 'bets',
      operationId: 'exportBets',
      summary: 'Download bets that ended, as CSV',
      description: `A row for each bet that ended from \`from\` until before \`to\` (\`settled_at\`), with the members of \`GET /v1/bets\`, newest first. ${OF_ALL}`,
      answer: betOut,
      table: BETS_CSV,
      rows: (account, filter) => records.bets(account, filter),
    }),
    download({
      ...common,
      name: 'orders',
      operationId: 'exportOrders',
      summary: 'Download orders, as CSV',
      description: `A row for each order that was placed from \`from\` until before \`to\`, with the members of \`GET /v1/exchange/orders\`, newest first. ${OF_ALL}`,
      answer: exportedOrderOut,
      table: ORDERS_CSV,
      rows: (account, filter) => records.orders(account, filter),
    }),
    download({
      ...common,
      name: 'journal',
      operationId: 'exportJournal',
      summary: 'Download every movement of money, as CSV',
      description: `A row for each fill, result, deposit or other movement of money from \`from\` until before \`to\`, in the order in which they were booked, those on paper first. Profit is by average cost, with the fees of purchase and sale. ${OF_ALL}`,
      answer: exportedMoveOut,
      table: JOURNAL_CSV,
      rows: (account, filter) => records.journal(account, filter),
    }),
  ];
}

const OF_ALL = `The answer is sent as it is read: one that breaks off is not whole. A text that a spreadsheet would run as a formula begins with an apostrophe. An account has ${MOST_AT_ONCE} at once at most.`;

interface Download<Row> extends Pick<Route, 'operationId' | 'summary' | 'description'> {
  readonly name: string;
  readonly running: Running;
  readonly answer: v.GenericSchema;
  readonly table: CsvTable<Row>;
  readonly rows: (account: AccountId, filter: ExportFilter) => ExportedRows<Row>;
}

function download<Row>({ name, running, table, rows, ...words }: Download<Row>): Route {
  const { operationId, summary, description, answer } = words;
  return route({
    method: 'GET',
    path: `${BASE}/${name}.csv`,
    operationId,
    tag: 'export',
    status: 200,
    scopes: ['orders:read'],
    summary,
    description,
    query: members(exportFilters),
    answer,
    answerName: `${name}.csv`,
    isCsv: true,
    problems: ['too-many-streams'],
    async handle({ principal: { account }, query, req }): Promise<StreamReply> {
      const { from, to: before, paper } = query;
      const filter = {
        ...(from !== undefined && { from }),
        ...(before !== undefined && { before }),
        ...(paper !== undefined && { paper }),
      };
      const isHead = req.method === 'HEAD';
      const send = isHead ? async () => {} : await running.begin(account, table, rows(account, filter));
      const stream = async (res: ServerResponse) => {
        await send(res);
        res.end();
      };
      const headers = { 'content-disposition': `attachment; filename="${fileName(name, filter)}"` };
      return { status: 200, type: CSV_TYPE, headers, stream };
    },
  });
}

/** Such as `stakeport-bets-2026-01-01-2027-01-01.csv`. */
function fileName(name: string, { from, before, paper }: ExportFilter): string {
  const money = paper === undefined ? [] : [paper ? 'paper' : 'live'];
  const days = [from, before].flatMap((moment) => (moment === undefined ? [] : [moment.toISOString().slice(0, 10)]));
  return `${['stakeport', name, ...money, ...days].join('-')}.csv`;
}

/** The exports that are on their way. */
class Running {
  readonly #of = new Map<AccountId, number>();

  /** Reads the first rows, so that what fails at once is answered as a problem; what it returns sends them and the rest. @throws Problem */
  async begin<Row>(account: AccountId, table: CsvTable<Row>, rows: ExportedRows<Row>) {
    const running = this.#of.get(account) ?? 0;
    if (running >= MOST_AT_ONCE) throw tooMany();
    this.#of.set(account, running + 1);
    try {
      const first = await rows.next();
      return async (res: ServerResponse) => {
        try {
          await sendRows(res, table, first, rows);
        } finally {
          this.#end(account);
          await rows.return();
        }
      };
    } catch (error) {
      this.#end(account);
      throw error;
    }
  }

  #end(account: AccountId): void {
    const left = (this.#of.get(account) ?? 1) - 1;
    if (left === 0) this.#of.delete(account);
    else this.#of.set(account, left);
  }
}

/** Sends rows as they are read, none before those that came before have left; ends where the client is gone. */
async function sendRows<Row>(
  res: ServerResponse,
  { head, line }: CsvTable<Row>,
  first: IteratorResult<readonly Row[], void>,
  rest: ExportedRows<Row>,
): Promise<void> {
  let text = head;
  for (let piece = first; piece.done !== true; piece = await rest.next()) {
    text += piece.value.map(line).join('');
    if (text !== '' && !(await left(res, text))) return;
    text = '';
  }
  if (text !== '') await left(res, text);
}

/** Resolves once the text has left, with false where the client is gone. */
function left(res: ServerResponse, text: string): Promise<boolean> {
  if (res.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const closed = () => resolve(false);
    res.once('close', closed);
    res.write(text, (error) => {
      res.off('close', closed);
      resolve(error == null);
    });
  });
}

const tooMany = () =>
  new Problem('too-many-streams', `This account has ${MOST_AT_ONCE} exports on their way, the most that it may.`, {
    headers: { 'retry-after': '30' },
  });

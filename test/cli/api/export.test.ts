import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { against, stakeport } from './remote.js';

let folder = '';
let end = () => {};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stakeport-export-'));
});
afterEach(() => {
  end();
  rmSync(folder, { recursive: true });
});

/** A server that answers every request so. */
async function answering(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  end = () => server.close().closeAllConnections();
  against({ STAKEPORT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

describe('stakeport export', () => {
  it('asks for the period and the money that are named, and prints the table', async () => {
    const asked: (string | undefined)[] = [];
    await answering(({ url }, res) => {
      asked.push(url);
      res.end('id\n1\n');
    });
    await stakeport('export', 'bets', '--from', '2026-01-01', '--to', '2027-01-01T00:00:00+01:00', '--live');
    expect(await stakeport('export', 'journal')).toEqual({ code: 0, out: 'id\n1\n', err: '' });
    expect(asked.map((url) => decodeURIComponent(url ?? ''))).toEqual([
      '/v1/export/bets.csv?from=2026-01-01T00:00:00Z&to=2027-01-01T00:00:00+01:00&paper=false',
      '/v1/export/journal.csv',
    ]);
  });

  it('writes a file once all has come', async () => {
    await answering((_, res) => res.end('id\n1\n'));
    const file = join(folder, 'bets.csv');
    const said = await stakeport('export', 'bets', '--out', file);
    expect(said).toEqual({ code: 0, out: '', err: `Written to ${file}.\n` });
    expect(readFileSync(file, 'utf8')).toBe('id\n1\n');
  });

  it('keeps the file of before where the answer breaks off', async () => {
    const file = join(folder, 'bets.csv');
    await answering((_, res) => res.end('whole\n'));
    await stakeport('export', 'bets', '--out', file);
    end();
    await answering((_, res) => {
      res.write('id\n', () => res.destroy());
    });
    const { code, err } = await stakeport('export', 'bets', '--out', file);
    expect([code, err]).toEqual([69, 'The answer broke off, so the file is not whole. Run the same again.\n']);
    expect(readFileSync(file, 'utf8')).toBe('whole\n');
    expect((await stakeport('export', 'bets')).code).toBe(69);
  });

  it('says what it takes', async () => {
    expect((await stakeport('export', 'everything')).err).toMatch(/bets, orders, journal/);
    expect((await stakeport('export', 'bets', '--from', '2026-13-01')).err).toMatch(
      /It takes a day such as 2026-01-01/,
    );
    against({ STAKEPORT_URL: 'http://127.0.0.1:1' });
    expect(await stakeport('export', 'bets')).toMatchObject({ code: 69, out: '' });
    const nowhere = join(folder, 'none', 'bets.csv');
    await answering((_, res) => res.end('id\n'));
    expect(await stakeport('export', 'bets', '--out', nowhere)).toMatchObject({ code: 1 });
  });
});

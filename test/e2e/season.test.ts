import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/build.js';
import { fenced } from '../support/pages.js';

it('README.md shows what its backtest of the example season prints', () => {
  const blocks = fenced('README.md', 'sh', 'text').map(({ text }) => text);
  const at = blocks.findIndex((text) => text.startsWith('npx stakeport backtest'));
  const [command = '', shown = ''] = blocks.slice(at);
  const folder = mkdtempSync(join(tmpdir(), 'season-'));
  try {
    const asked = command
      .replace('npx stakeport', `${process.execPath} dist/server/main.js`)
      .replace('runs/season', folder);
    const printed = execFileSync('sh', ['-c', asked], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(printed).toContain(shown);
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<svg');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

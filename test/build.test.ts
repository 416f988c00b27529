import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { ROOT } from './support/build.js';

const INSTEAD = 'npm ci && npm run ensure && npm run build && npm prune --omit=dev && node dist/server/main.js';
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A copy of some parts of this checkout, where no package is installed; `linked` are the same folders, of which it has links. */
function copyOf(parts: readonly string[], linked: readonly string[] = []): string {
  if (inject('buildFailure') !== '') throw new Error(`dist/ is not built:\n${inject('buildFailure')}`);
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-build-'));
  folders.push(folder);
  const always = ['scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const part of [...always, ...parts]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  for (const part of linked) symlinkSync(join(ROOT, part), join(folder, part));
  return folder;
}

function build(folder: string): Promise<{ code: unknown; output: string }> {
  return new Promise((done) => {
    execFile(process.execPath, [join(folder, 'scripts/build.mjs')], { cwd: folder }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : error.code, output: stdout + stderr });
    });
  });
}

describe('where the development dependencies are not installed', () => {
  it('a missing build is one line that says what to do', async () => {
    const { code, output } = await build(copyOf([], ['src']));
    expect(code).toBe(1);
    expect(output).toMatch(/^stakeport: dist\/ is not built, and what builds it is not installed.*\n {2}(.*)\n$/);
    expect(output).toContain(INSTEAD);
  });

  it('the command of a clone says that it is not built yet', async () => {
    const folder = copyOf(['bin']);
    const command = join(folder, 'bin/stakeport.mjs');
    const said = await new Promise((done) => {
      execFile(process.execPath, [command], (error, _, stderr) => done([error?.code, stderr]));
    });
    expect(said).toEqual([69, expect.stringMatching(/^stakeport is not built yet\. .*npm run build\n$/)]);
  });

  it('a build of other sources is reported and left unchanged', async () => {
    const folder = copyOf(['src', 'dist/server']);
    appendFileSync(join(folder, 'src/index.ts'), '// Another line.\n');
    const { code, output } = await build(folder);
    expect(code).toBe(1);
    expect(output).toContain('dist/ was built from other sources than those in src/');
    expect(output).toContain(INSTEAD);
    expect(existsSync(join(folder, 'dist/server/main.js'))).toBe(true);
  });

  it('a build of these sources is taken as it is', async () => {
    expect(await build(copyOf([], ['src', 'dist']))).toEqual({ code: 0, output: '' });
  });

  it('a build that came without its sources is taken as it is', async () => {
    const folder = copyOf(['dist/server']);
    expect(await build(folder)).toEqual({ code: 0, output: '' });
    expect(existsSync(join(folder, 'dist/server/main.js'))).toBe(true);
  });
});

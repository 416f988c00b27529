import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../adapters/tape/tape-folder.js';
import type { RunWarning } from '../backtest/backtest-run.js';
import { stableJson } from '../backtest/result.js';
import type { VariantFigures } from './figures.js';
import { SweepRefused } from './plan.js';

/** What came of a group of variants that were played together. */
export interface PlayedGroup {
  /** That of the sweep. */
  readonly id: string;
  readonly group: number;
  readonly variants: readonly VariantFigures[];
  /** Of the markets that rules name, the part of their time in which their book was known, and how often it was not. */
  readonly coverage: string;
  readonly gaps: number;
  readonly warnings: readonly RunWarning[];
}

const IDENTITY = 'sweep.json';
const PARTS = 'parts';
const PART = '.part';

/** The folder of a sweep: what it is of, each group that is done, and in the end what came of it. */
export class SweepFolder {
  private constructor(
    readonly path: string,
    readonly id: string,
  ) {}

  /** Makes it where it is absent. @throws SweepRefused for the folder of another sweep */
  static async open(path: string, identity: { readonly id: string; readonly version: string }): Promise<SweepFolder> {
    await makeFolder(join(path, PARTS));
    const known = await jsonIn(join(path, IDENTITY));
    const { id, version } = Object(known) as { readonly id?: unknown; readonly version?: unknown };
    const folder = new SweepFolder(path, identity.id);
    if (known === null) await folder.write([[IDENTITY, stableJson(identity)]]);
    else if (id !== identity.id)
      throw new SweepRefused(
        `${path} holds a sweep of another plan, of other tapes or signals${version === identity.version ? '' : `, or of version ${version}`}: name another folder with --out, or remove this one.`,
      );
    return folder;
  }

  /** A group that is done; null for one that must be played. */
  async read(group: number): Promise<PlayedGroup | null> {
    const known = (await jsonIn(join(this.path, this.#nameOf(group)))) as PlayedGroup | null;
    return known?.id === this.id && known.group === group ? known : null;
  }

  async keep(played: PlayedGroup): Promise<void> {
    await this.write([[this.#nameOf(played.group), `${JSON.stringify(played)}\n`]]);
  }

  /** Writes files whole: each has its name only once all of them are. */
  async write(files: readonly (readonly [name: string, text: string])[]): Promise<void> {
    const partOf = (name: string) => join(this.path, `${name}${PART}`);
    try {
      for (const [name, text] of files) await writeFile(partOf(name), text);
    } catch (error) {
      for (const [name] of files) await rm(partOf(name), { force: true });
      throw error;
    }
    for (const [name] of files) await rename(partOf(name), join(this.path, name));
  }

  #nameOf(group: number): string {
    return join(PARTS, `${String(group + 1).padStart(4, '0')}.json`);
  }
}

/** The document in a file; null where there is none, or it is no document. */
async function jsonIn(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

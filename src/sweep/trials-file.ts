import { appendFile, readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { SweepRefused } from './plan.js';

/** Rules that were tried on a tape: both by their hashes. */
export interface Trial {
  readonly tape: string;
  readonly rules: string;
}

const trialLine = v.object({ tape: v.string(), rules: v.string(), at: v.pipe(v.string(), v.isoTimestamp()) });

/** How many different rules were tried on tapes, and the day since which they are counted. */
export interface TrialCount {
  readonly count: number;
  /** Such as `2026-03-01`; null where nothing was tried. */
  readonly since: string | null;
}

/** The trials of tapes, a line each in a file: the same rules on the same tape count once, however often they are there. */
export class TrialsFile {
  constructor(readonly path: string) {}

  /** Rules that were tried on any of these tapes. @throws SweepRefused for a line that is none */
  async countOf(tapes: readonly string[]): Promise<TrialCount> {
    const own = (await this.#lines()).filter(({ tape }) => tapes.includes(tape));
    const [first] = own.map(({ at }) => at).sort();
    return { count: new Set(own.map(({ rules }) => rules)).size, since: first?.slice(0, 10) ?? null };
  }

  /** Adds those that are not in it yet. @throws SweepRefused for a line that is none */
  async add(trials: readonly Trial[], at: Date): Promise<void> {
    const known = new Set((await this.#lines()).map(nameOf));
    const fresh = new Map(trials.filter((trial) => !known.has(nameOf(trial))).map((trial) => [nameOf(trial), trial]));
    if (fresh.size === 0) return;
    const lines = [...fresh.values()].map(({ tape, rules }) => JSON.stringify({ tape, rules, at: at.toISOString() }));
    // A line that was cut off by a kill is ended first, and read as none.
    await appendFile(this.path, `${(await this.#isCut()) ? '\n' : ''}${lines.join('\n')}\n`);
  }

  async #text(): Promise<string> {
    return readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  }

  async #isCut(): Promise<boolean> {
    const text = await this.#text();
    return text !== '' && !text.endsWith('\n');
  }

  async #lines(): Promise<readonly v.InferOutput<typeof trialLine>[]> {
    const lines = (await this.#text()).split('\n');
    return lines.flatMap((line, at) => {
      if (line.trim() === '') return [];
      const read = readTrial(line);
      if (read !== null) return [read];
      if (line.startsWith('{"tape":') && !line.endsWith('}')) return [];
      throw new SweepRefused(
        `${this.path}: line ${at + 1} is no trial: remove the line, or name another file with --trials.`,
      );
    });
  }
}

const nameOf = ({ tape, rules }: Trial): string => `${tape} ${rules}`;

function readTrial(line: string): v.InferOutput<typeof trialLine> | null {
  try {
    const read = v.safeParse(trialLine, JSON.parse(line));
    return read.success ? read.output : null;
  } catch {
    return null;
  }
}

import type { Findings } from './figures.js';
import type { Machine } from './machine.js';
import type { PartOptions } from './rounds.js';

/** What `npm run bench -- --json` prints. */
export interface Report {
  readonly date: string;
  readonly machine: Machine;
  readonly options: PartOptions;
  readonly parts: Readonly<Record<string, Findings>>;
}

import type { RunnerParts } from './runner-parts.js';

/** Adds the skips since the last call to those on record; what could not be stored is stored the next time. */
export async function storeSkips({ skips, ledger, onFault }: RunnerParts): Promise<void> {
  const counts = skips.takeCounts();
  try {
    await ledger.decisions.count(counts);
    skips.counted(counts);
  } catch (error) {
    skips.returnCounts(counts);
    onFault('could not store the counts of skips', error);
  }
}

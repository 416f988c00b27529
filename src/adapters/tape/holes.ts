import type { TapeLine } from './tape-line.js';

/** How long a recorder may be silent. It writes a line every ten seconds even when nothing happens. */
export const LONGEST_SILENCE_MS = 30_000;

/** A step of the playback: a line of a tape, or a hole where nothing was recorded. */
export type Played = TapeLine | { readonly type: 'hole'; readonly at: Date };

/** Inserts a hole when no line came for longer than the longest silence: at the end of that silence. */
export async function* withHoles(lines: AsyncIterable<TapeLine>): AsyncGenerator<Played> {
  let newest: number | undefined;
  for await (const line of lines) {
    const silentUntil = (newest ?? line.at.getTime()) + LONGEST_SILENCE_MS;
    if (line.at.getTime() > silentUntil) yield { type: 'hole', at: new Date(silentUntil) };
    newest = line.at.getTime();
    yield line;
  }
}

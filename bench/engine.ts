import { betting } from './engine-bets.js';
import { indexing } from './engine-index.js';
import { remembering } from './engine-memory.js';
import type { Part } from './rounds.js';

/** Strategies that trade by themselves: what a change of a market costs them, how fast they bet, and what they take. */
export const engine: Part = async ({ rounds }) => {
  const found = [await remembering(rounds), await betting(rounds), await indexing(rounds)];
  return { text: found.map(({ text }) => text).join('\n\n'), figures: found.flatMap(({ figures }) => figures) };
};

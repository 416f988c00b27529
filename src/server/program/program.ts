/**
 * All that `main.ts` runs. `npm run build` puts one bundle of it in its place, in which each part that is imported on demand
 * is a file of its own, because a start that reads a thousand modules takes twice as long.
 */
export { runCommandLine } from '../../cli/command-line.js';

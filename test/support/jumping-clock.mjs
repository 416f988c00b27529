/**
 * Loaded before the built server (`NODE_OPTIONS=--import`), with milliseconds behind a question mark: SIGUSR2 sets the clock of
 * the process ahead by that much. What waits, waits as long as ever.
 */
const jump = Number(new URL(import.meta.url).search.slice(1));
const now = Date.now;
let ahead = 0;

process.on('SIGUSR2', () => {
  ahead = jump;
});
Date.now = () => now() + ahead;
globalThis.Date = class extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Date.now()] : parts));
  }
};

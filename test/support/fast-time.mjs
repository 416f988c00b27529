/**
 * Loaded before the built server (`NODE_OPTIONS=--import`), with a moment and a factor behind a question mark: from that moment
 * on, the clock of the process and all that waits by it go as many times as fast.
 */
const [from, factor] = new URL(import.meta.url).search.slice(1).split('x').map(Number);
const [now, timeout, interval] = [Date.now, setTimeout, setInterval];

Date.now = () => Math.floor(from + (now() - from) * factor);
globalThis.Date = class extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Date.now()] : parts));
  }
};
globalThis.setTimeout = (task, ms = 0, ...rest) => timeout(task, ms / factor, ...rest);
globalThis.setInterval = (task, ms = 0, ...rest) => interval(task, ms / factor, ...rest);

/**
 * Loaded before a built program (`--import`), with a moment and a seed behind a question mark. Its clock then stands at that moment,
 * and its random numbers come from the seed, so that two runs write the same. A server that was started with a channel to its parent
 * is told by `{ advance: ms }` to let time pass: what waits for a moment of that time runs then, in order.
 */
import crypto, { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

const [from, seed] = new URL(import.meta.url).search.slice(1).split('x');
const [realTimeout, realClear] = [setTimeout, clearTimeout];
/** Shorter waits are for other work of the machine, such as a database that is busy: they pass as ever. */
const SHORT_MS = 50;
/** The shortest are of whoever waits for the next millisecond of the clock, as a tape does: they take it along. */
const NEXT_MS = 5;

let passed = 0;
const began = Number(from);
Date.now = () => began + passed;
globalThis.Date = class extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Date.now()] : parts));
  }
};
performance.now = () => 1000 + passed;

let drawn = 0;
function randomBytes(size) {
  const parts = [];
  for (let length = 0; length < size; length += 32) {
    drawn += 1;
    parts.push(createHash('sha256').update(`${seed} ${drawn}`).digest());
  }
  return Buffer.concat(parts).subarray(0, size);
}
function randomUUID() {
  const hex = randomBytes(16).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
crypto.randomBytes = randomBytes;
crypto.randomUUID = randomUUID;
// Pauses are spread by it: their order is not that of the draws.
Math.random = () => 0.5;

if (process.send !== undefined) {
  const [{ default: pg }, { default: sqlite3 }] = await Promise.all([import('pg'), import('sqlite3')]);
  /** What waits, by when it is due. */
  const waiting = new Set();
  class Timer {
    constructor(task, ms, everyMs) {
      Object.assign(this, { task, ms, everyMs, at: passed + ms });
      waiting.add(this);
    }
    ref() {
      return this;
    }
    unref() {
      return this;
    }
    hasRef() {
      return true;
    }
    refresh() {
      this.at = passed + this.ms;
      waiting.add(this);
      return this;
    }
    run() {
      if (this.everyMs === null) waiting.delete(this);
      else this.at += this.everyMs;
      this.task();
    }
  }
  const clear = (timer) => (timer instanceof Timer ? waiting.delete(timer) : realClear(timer));
  const afterShort = (task, ms) => {
    const due = passed + ms;
    return realTimeout(() => {
      if (ms < NEXT_MS) passed = Math.max(passed, due);
      task();
    }, ms);
  };
  globalThis.setTimeout = (task, ms = 0, ...rest) =>
    ms < SHORT_MS ? afterShort(() => task(...rest), ms) : new Timer(() => task(...rest), ms, null);
  globalThis.setInterval = (task, ms = 0, ...rest) => new Timer(() => task(...rest), Math.max(ms, 1), Math.max(ms, 1));
  globalThis.clearTimeout = clear;
  globalThis.clearInterval = clear;
  timersPromises.setTimeout = (ms = 0, value = undefined, { signal } = {}) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(value), ms);
      signal?.addEventListener('abort', () => {
        clear(timer);
        reject(signal.reason);
      });
    });

  /** How many statements and requests others have not answered yet. */
  let asked = 0;
  const count = (type, names, isPromised) => {
    for (const name of names) {
      const real = type.prototype[name];
      type.prototype[name] = function (...args) {
        const last = args.at(-1);
        if (typeof last !== 'function' && !isPromised) return real.apply(this, args);
        asked += 1;
        const answered = () => {
          asked -= 1;
        };
        if (typeof last === 'function')
          return real.apply(this, [
            ...args.slice(0, -1),
            function (...answer) {
              answered();
              return last.apply(this, answer);
            },
          ]);
        const answer = real.apply(this, args);
        if (typeof answer?.then === 'function') answer.then(answered, answered);
        else answered();
        return answer;
      };
    }
  };
  count(sqlite3.Database, ['run', 'get', 'all', 'exec', 'close'], false);
  count(sqlite3.Statement, ['run', 'get', 'all', 'finalize'], false);
  count(pg.Client, ['connect', 'query'], true);

  subscribe('undici:request:create', () => {
    asked += 1;
  });
  for (const end of ['undici:request:trailers', 'undici:request:error'])
    subscribe(end, () => {
      asked -= 1;
    });

  /** How many requests have arrived. */
  let arrived = 0;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...args) {
    if (name === 'request') arrived += 1;
    return emit.call(this, name, ...args);
  };

  const isBusy = () => asked > 0 || process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
  const turn = () => new Promise((done) => realTimeout(done, 1));
  /** Waits until the program has nothing to do, seen several times in a row. */
  const settled = async () => {
    for (let quiet = 0; quiet < 4; quiet = isBusy() ? 0 : quiet + 1) await turn();
  };
  const advance = async (ms) => {
    await settled();
    const until = passed + ms;
    for (;;) {
      const [next] = [...waiting].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      passed = Math.max(passed, next.at);
      next.run();
      await settled();
    }
    passed = until;
    await settled();
  };
  process.on('message', async ({ advance: ms }) => {
    await advance(ms);
    process.send({ arrived });
  });
  process.channel.unref();
}
syncBuiltinESMExports();

/**
 * Loaded before a built program (`--import`), with a moment and a seed behind a question mark. Its clock then stands at that moment,
 * and its random numbers come from the seed, so that two runs write the same. A server that was started with a channel to its parent
 * is told by `{ advance: ms }` to let time pass: what waits for a moment of that time runs then, in order. With `isAsleep` it runs
 * once, at the end. Answers of databases are
 * handed on one by one in the order of the questions, once all that were asked are there: how fast a machine is changes nothing.
 */
import crypto, { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

const [from, given] = new URL(import.meta.url).search.slice(1).split('x');
const [realTimeout, realImmediate, realClear] = [setTimeout, setImmediate, clearTimeout];
/** Shorter waits are for the next millisecond of the clock, as a tape waits: they end once nothing else is left to do, and take the clock along. */
const SHORT_MS = 5;

let passed = 0;
let began = Number(from);
let seed = given;
Date.now = () => began + passed;
globalThis.Date = class extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Date.now()] : parts));
  }
};
performance.now = () => 1000 + passed;

let drawn = 0;
/** Where one process runs several commands: the moment and the seed of the next. */
export function beginAt(moment, next) {
  [began, passed, seed, drawn] = [moment, 0, next, 0];
}
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

// Where a person sits at a terminal, what is typed comes from a pipe all the same.
if (process.env['RECORD_TTY'] !== undefined) for (const stream of [process.stdin, process.stderr]) stream.isTTY = true;

const required = createRequire(process.argv[1]);
// Where node_modules is a link, what is imported and what is required are two copies.
const drivers = async (name) => new Set([(await import(name)).default, required(name)]);
const { DATABASE_URL: database = '' } = process.env;
const pgs = database.startsWith('postgres') ? await drivers('pg') : new Set();
const sqlites = database.startsWith('sqlite') ? await drivers('sqlite3') : new Set();
// A database has a clock of its own, by which leases end.
for (const { Client } of pgs) {
  const { query } = Client.prototype;
  const fixed = (text) => text.replaceAll('clock_timestamp()', `to_timestamp(${Date.now()} / 1000.0)`);
  Client.prototype.query = function (asked, ...rest) {
    if (typeof asked === 'string') return query.call(this, fixed(asked), ...rest);
    if (typeof asked?.text === 'string' && asked.text.includes('clock_timestamp()')) {
      asked.text = fixed(asked.text);
      if (asked.name !== undefined) asked.name = createHash('sha256').update(asked.text).digest('hex').slice(0, 30);
    }
    return query.call(this, asked, ...rest);
  };
}
for (const { Database } of sqlites) {
  const CLOCK = "unixepoch('now', 'subsec')";
  const fixed = (text) => text.replaceAll(CLOCK, `(${Date.now()} / 1000.0)`);
  for (const name of ['run', 'get', 'all', 'exec']) {
    const real = Database.prototype[name];
    Database.prototype[name] = function (sql, ...rest) {
      return real.call(this, fixed(sql), ...rest);
    };
  }
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    if (sql.includes(CLOCK)) statement.all = (...args) => this.all(sql, ...args);
    return statement;
  };
}

if (process.send !== undefined) {
  /** What waits, by when it is due. */
  const waiting = new Set();
  class Timer {
    constructor(task, ms, everyMs) {
      Object.assign(this, { task, ms, everyMs, at: passed + ms, isShort: everyMs === null && ms < SHORT_MS });
      waiting.add(this);
      if (this.isShort) void goOn();
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
      if (this.isShort) void goOn();
      return this;
    }
    run() {
      passed = Math.max(passed, this.at);
      if (this.everyMs === null) waiting.delete(this);
      else this.at += this.everyMs;
      this.task();
    }
  }
  const clear = (timer) => (timer instanceof Timer ? waiting.delete(timer) : realClear(timer));
  globalThis.setTimeout = (task, ms = 0, ...rest) => new Timer(() => task(...rest), Math.max(Number(ms) || 0, 0), null);
  globalThis.setInterval = (task, ms = 0, ...rest) => new Timer(() => task(...rest), Math.max(ms, 1), Math.max(ms, 1));
  globalThis.clearTimeout = clear;
  globalThis.clearInterval = clear;
  timersPromises.setTimeout = (ms = 0, value = undefined, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const timer = setTimeout(() => resolve(value), ms);
      signal?.addEventListener('abort', () => {
        clear(timer);
        reject(signal.reason);
      });
    });
  const first = (timers) =>
    [...timers].reduce((one, other) => (one !== undefined && one.at <= other.at ? one : other), undefined);

  /** What databases were asked and have not handed on an answer to, in the order of asking. */
  const asked = new Set();
  /** How many questions there were so far, and how many requests others have not answered yet. */
  let questions = 0;
  let sent = 0;
  const ask = () => {
    const question = { answer: null };
    asked.add(question);
    questions += 1;
    return question;
  };
  const answer = (question, handOn) => {
    question.answer = handOn;
    void goOn();
  };
  const listening = new Set();
  /** One method may call another, which is no question of its own. */
  let isInside = false;
  const inside = (real, self, args) => {
    isInside = true;
    try {
      return real.apply(self, args);
    } finally {
      isInside = false;
    }
  };
  const noteListening = (client, query) => {
    if (/^listen /i.test(String(query?.text ?? query))) listening.add(client);
  };
  const count = (type, names, isPostgres) => {
    for (const name of names) {
      const real = type.prototype[name];
      type.prototype[name] = function (...args) {
        if (isPostgres) noteListening(this, args[0]);
        const last = args.at(-1);
        if (isInside || (typeof last !== 'function' && !isPostgres)) return real.apply(this, args);
        const question = ask();
        if (typeof last === 'function') {
          const handOn = function (...parts) {
            answer(question, () => last.apply(this, parts));
          };
          return inside(real, this, [...args.slice(0, -1), handOn]);
        }
        const result = inside(real, this, args);
        if (typeof result?.then !== 'function') {
          asked.delete(question);
          return result;
        }
        return new Promise((resolve, reject) => {
          result.then(
            (value) => answer(question, () => resolve(value)),
            (error) => answer(question, () => reject(error)),
          );
        });
      };
    }
  };
  const { query } = [...pgs][0]?.Client.prototype ?? {};
  for (const pg of pgs) count(pg.Client, ['connect', 'query'], true);
  for (const sqlite3 of sqlites) {
    count(sqlite3.Database, ['run', 'get', 'all', 'exec', 'prepare', 'close'], false);
    count(sqlite3.Statement, ['run', 'get', 'all', 'finalize'], false);
    sqlite3.Database = class extends sqlite3.Database {
      constructor(...args) {
        const last = args.at(-1);
        const question = typeof last === 'function' ? ask() : undefined;
        const handOn = function (...parts) {
          answer(question, () => last.apply(this, parts));
        };
        super(...args.slice(0, -1), question === undefined ? last : handOn);
      }
    };
  }

  /** Whether others answer once they have done something: what asks a chat for news is answered when somebody writes there. */
  const isCounted = ({ request: { path } }) => !path.endsWith('/getUpdates');
  subscribe('undici:request:create', (message) => {
    if (isCounted(message)) sent += 1;
  });
  for (const end of ['undici:request:trailers', 'undici:request:error'])
    subscribe(end, (message) => {
      if (isCounted(message)) sent -= 1;
      void goOn();
    });

  /** How many requests have arrived as a whole. */
  let arrived = 0;
  const { emit } = Server.prototype;
  Server.prototype.emit = function (name, ...args) {
    if (name === 'request')
      args[0].once('end', () => {
        arrived += 1;
      });
    return emit.call(this, name, ...args);
  };

  const OF_FILES = /^(FSReq|GetAddrInfo|Immediate|.*Job$)/;
  /** Waits until the program itself has nothing to do, seen several times in a row. */
  const still = async () => {
    for (let quiet = 0, turns = 0; quiet < 3; turns += 1) {
      await new Promise((done) => (turns < 100 ? realImmediate(done) : realTimeout(done, 1)));
      quiet = process.getActiveResourcesInfo().some((name) => OF_FILES.test(name)) ? 0 : quiet + 1;
    }
  };
  /** Does one thing of those that may be done now. Resolves with false where there is none. */
  const doNext = async () => {
    await still();
    if (sent > 0) return false;
    const [next] = asked;
    if (next !== undefined) {
      if ([...asked].some(({ answer }) => answer === null)) return false;
      asked.delete(next);
      next.answer();
      return true;
    }
    const short = first([...waiting].filter(({ isShort }) => isShort));
    short?.run();
    return short !== undefined;
  };
  let isGoing = false;
  let isCalled = false;
  /** Does what may be done, one thing after the other, until nothing is left but what waits for an answer or for time. */
  async function goOn() {
    isCalled = true;
    if (isGoing) return;
    isGoing = true;
    while (isCalled) {
      isCalled = false;
      while (await doNext());
    }
    isGoing = false;
    if (asked.size === 0 && sent === 0) for (const done of waitingForRest.splice(0)) done();
  }
  const waitingForRest = [];
  /** Resolves once everything that may be done is done, and nobody is asked anything. */
  const atRest = () =>
    new Promise((done) => {
      waitingForRest.push(done);
      void goOn();
    });
  /** How many questions there were when all that other connections were told had last arrived. */
  let heardAt = -1;
  /** Waits until all is done that can be done without time, and all that other connections were told has arrived. */
  const settled = async () => {
    await atRest();
    while (heardAt !== questions && listening.size > 0) {
      heardAt = questions;
      await Promise.all(
        [...listening].map((client) => query.call(client, 'SELECT 1').catch(() => listening.delete(client))),
      );
      await atRest();
    }
  };
  const advance = async (ms) => {
    heardAt = -1;
    await settled();
    const until = passed + ms;
    for (;;) {
      const next = first([...waiting].filter(({ at }) => at <= until));
      if (next === undefined) break;
      next.run();
      await settled();
    }
    passed = Math.max(passed, until);
  };
  /** As when the machine slept: what was due meanwhile is done once, now. */
  const jump = async (ms) => {
    await settled();
    passed += ms;
    for (const timer of waiting) timer.at = Math.max(timer.at, passed);
    await advance(0);
  };
  let before = Promise.resolve();
  process.on('message', ({ advance: ms, isAsleep }) => {
    before = before.then(() => (isAsleep ? jump(ms) : advance(ms))).then(() => void process.send({ arrived }));
  });
  process.channel.unref();
}
syncBuiltinESMExports();

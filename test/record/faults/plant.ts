/**
 * Plants each fault of the list alone, and says which of them the record notices, and which the test that is named beside it:
 * `npx tsx test/record/faults/plant.ts [--memory] [--plays=api,edges] [--results=FILE] [number or area …]`.
 * Only plays that run the place of a fault are played, the fastest first, each until its first line that is not as recorded.
 * `--memory` plays those that need no database and no commands. With `--results` each result is kept in a file, and a later run
 * with that file tries only what was not noticed yet.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../../support/build.js';
import { BrokenCopy, type Place } from './broken-copy.js';
import { Coverage } from './coverage.js';
import { FAULTS, type Fault } from './faults.js';

/** The plays, the fastest first. */
const ALL = [
  'automation memory',
  'api memory',
  'lives memory',
  'venues memory',
  'api sqlite',
  'automation sqlite',
  'lives sqlite',
  'access sqlite',
  'edges sqlite',
  'commands memory',
];

const words = process.argv.slice(2);
const option = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
const only = words.filter((word) => !word.startsWith('--'));
const results = option('results');
const wanted = option('plays')?.split(',');
const played = ALL.filter((name) => wanted?.some((one) => name.startsWith(one)) ?? true).filter(
  (name) => !words.includes('--memory') || (name.endsWith('memory') && !name.startsWith('commands')),
);

const copy = new BrokenCopy();
process.env['RECORD_PROGRAM'] = copy.program;
const { PLAYS } = await import('../play.js');
const { cleanUp, freshFolder } = await import('../program.js');
const { Transcript } = await import('../transcript.js');

/** Ends the play at the first line that was not recorded so. */
class Watched extends Transcript {
  readonly #expected = this.recorded();
  /** How much of the record was said already. */
  #length = 0;

  protected override add(text: string): void {
    super.add(text);
    const whole = this.#length === 0 ? `${text}\n`.trimStart() : `${text}\n`;
    const isSame = this.#expected.startsWith(whole, this.#length);
    if (!isSame && this.#expected.slice(this.#length).trim() !== whole.trim()) {
      const said = whole.split('\n');
      const due = this.#expected.slice(this.#length).split('\n');
      const line = said.findIndex((one, n) => one !== due[n]);
      throw new Error(`${said[line]?.trim().slice(0, 80)} | ${due[line]?.trim().slice(0, 80)}`);
    }
    this.#length += whole.length;
  }
}

/** Resolves with what differs in this play, or null. No play may take longer than `mostMs`: a fault may have the server run in circles. */
async function differs(name: string, mostMs: number): Promise<string | null> {
  const [title = '', store] = name.split(' ');
  const play = PLAYS.find((one) => one.name === title);
  if (play === undefined) throw new Error(`there is no ${title}`);
  const transcript = new Watched(title);
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('it does not end')), mostMs);
  });
  const database = store === 'sqlite' ? `sqlite:${join(freshFolder(), 'stakeport.db')}` : 'memory:';
  const whole = play.play(transcript, database);
  whole.catch(() => {});
  try {
    const others = await Promise.race([whole, tooLate]);
    const other = [transcript, ...others].find((one) => one.text !== one.recorded());
    return other === undefined ? null : `${other.name} at its end`;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  } finally {
    clearTimeout(late);
    await cleanUp();
  }
}

interface Unbroken {
  readonly name: string;
  readonly took: number;
  readonly coverage: Coverage;
}

/** Plays what has no fault: how long it takes, and what runs. */
async function unbroken(name: string): Promise<Unbroken> {
  const folder = mkdtempSync(join(tmpdir(), 'stakeport-coverage-'));
  process.env['NODE_V8_COVERAGE'] = folder;
  const began = Date.now();
  const difference = await differs(name, 600_000);
  delete process.env['NODE_V8_COVERAGE'];
  if (difference !== null) throw new Error(`Without a fault, ${name} is not as it was recorded: ${difference}`);
  const coverage = new Coverage(folder, join(copy.folder, 'dist/server/program'));
  rmSync(folder, { recursive: true, force: true });
  return { name, took: Date.now() - began, coverage };
}

/** How many tests of this title pass, and how many fail, with what is planted now. */
async function tested([file, title]: readonly [string, string]): Promise<{ passed: number; failed: number }> {
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', file, '-t', title, '--reporter=json'];
  const child = spawn(process.execPath, args, { cwd: copy.folder, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await new Promise((done) => child.once('close', done));
  const report = JSON.parse(text.slice(text.indexOf('{'))) as { numPassedTests: number; numFailedTests: number };
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}

type Result = { readonly by: 'record' | 'test' | 'none'; readonly words: string };

async function tryOut(fault: Fault, place: Place | null, plays: readonly Unbroken[]): Promise<Result> {
  if (place === null) return { by: 'none', words: 'the bundle is the same' };
  const reaching = plays.filter(({ coverage }) => coverage.has(place));
  for (const { name, took } of reaching) {
    const difference = await differs(name, 4 * took + 10_000);
    if (difference !== null) return { by: 'record', words: `${name} (${difference})` };
  }
  if (fault.test !== undefined && (await tested(fault.test)).failed > 0)
    return { by: 'test', words: fault.test.join(': ') };
  const ran = reaching.map(({ name }) => name).join(', ') || 'no play';
  return { by: 'none', words: `MISSED ${fault.find} (${ran} runs it)` };
}

const nameOf = ({ find, replace }: Fault) => `${find} => ${replace}`;
const known = new Map(
  results !== undefined && existsSync(results)
    ? readFileSync(results, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Result & { fault: string })
        .map((one) => [one.fault, one] as const)
    : [],
);

const lost = FAULTS.filter((fault) => copy.placeOf(fault) === null).map(({ find }) => find);
if (lost.length > 0) throw new Error(`These texts have to stand in one place of src each:\n${lost.join('\n')}`);
await copy.build();
const plays: Unbroken[] = [];
for (const name of played) plays.push(await unbroken(name));
for (const { name, took } of plays) console.log(`${name} takes ${took} ms`);
plays.sort((one, other) => one.took - other.took);

for (const { test } of FAULTS) {
  const { passed, failed } = test === undefined ? { passed: 1, failed: 0 } : await tested(test);
  if (passed === 0 || failed > 0)
    throw new Error(`Without a fault, this test is not there or is red: ${test?.join(': ')}`);
}

const counts = { record: 0, test: 0, none: 0 };
for (const [index, fault] of FAULTS.entries()) {
  if (only.length > 0 && !only.includes(`${index + 1}`) && !only.includes(fault.about)) continue;
  const before = known.get(nameOf(fault));
  const isKnown = before !== undefined && before.by !== 'none';
  const result = isKnown ? before : await copy.with(fault, (place) => tryOut(fault, place, plays));
  counts[result.by] += 1;
  console.log(`${index + 1} ${fault.about}: ${result.words}`);
  if (results !== undefined && !isKnown)
    appendFileSync(results, `${JSON.stringify({ fault: nameOf(fault), number: index + 1, ...result })}\n`);
}
console.log(
  `${counts.record} are noticed by the record, ${counts.test} by a test that is named, ${counts.none} are missed`,
);
await copy.remove();
process.exit(counts.none > 0 ? 1 : 0);

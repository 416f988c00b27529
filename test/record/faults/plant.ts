/**
 * Plants each fault of the list alone, and says which of them the record notices:
 * `npx tsx test/record/faults/plant.ts [--quick] [--memory] [number or area …]`. It builds from a copy of src, and takes some minutes;
 * quick is to try the first two plays alone, memory those without a database and commands, which take seconds.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { context } from 'esbuild';
import { ROOT } from '../../support/build.js';
import { FAULTS, type Fault } from './faults.js';

/** The plays that are tried, the most likely to notice first. */
const USUAL = ['api memory', 'automation memory', 'edges sqlite', 'access sqlite', 'commands memory', 'api sqlite'];
const FIRST: Readonly<Record<string, readonly string[]>> = {
  strategy: ['automation memory', 'api memory', 'edges sqlite', 'access sqlite', 'commands memory'],
  usecases: ['automation memory', 'api memory', 'edges sqlite', 'access sqlite', 'commands memory'],
  webhooks: ['edges sqlite', 'access sqlite', 'api memory', 'automation memory', 'commands memory'],
  cli: ['commands memory', 'edges sqlite', 'access sqlite'],
  sql: ['api sqlite', 'automation sqlite', 'access sqlite', 'edges sqlite'],
};
const isInMemory = process.argv.includes('--memory');
/** No fault takes longer in one play: where it has the server run in circles, that is noticed. */
const LONGEST_MS = isInMemory ? 10_000 : 120_000;
const IN_MEMORY = ['api memory', 'automation memory'];
const APART = ['sqlite3', 'tiny-secp256k1', 'pg'];
const ABSENT = ['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg-query-stream', 'tedious'];
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";

// Below this checkout, so that packages are found as ever.
mkdirSync(join(ROOT, 'dist/.cache'), { recursive: true });
const copy = mkdtempSync(join(ROOT, 'dist/.cache/faults-'));
for (const name of ['src', 'package.json', 'tsconfig.json', 'docs', 'CHANGELOG.md'])
  cpSync(join(ROOT, name), join(copy, name), { recursive: true });
mkdirSync(join(copy, 'dist/server/program'), { recursive: true });
for (const name of ['ui', 'swagger-ui']) symlinkSync(join(ROOT, 'dist', name), join(copy, 'dist', name));

process.env['RECORD_PROGRAM'] = join(copy, 'dist/server/program/main.js');
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
    if (!isSame && this.#expected.slice(this.#length).trim() !== whole.trim()) throw new Error('noticed');
    this.#length += whole.length;
  }
}

/** Resolves with what was noticed, or null. */
async function differs(name: string): Promise<string | null> {
  const [title = '', store] = name.split(' ');
  const play = PLAYS.find((one) => one.name === title);
  if (play === undefined) throw new Error(`there is no ${title}`);
  const told = new Watched(title);
  let late: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    late = setTimeout(() => reject(new Error('it does not end')), LONGEST_MS);
  });
  const database = store === 'sqlite' ? `sqlite:${join(freshFolder(), 'stakeport.db')}` : 'memory:';
  const played = play.play(told, database);
  played.catch(() => {});
  try {
    const others = await Promise.race([played, tooLate]);
    const other = [told, ...others].find((one) => one.text !== one.recorded());
    return other === undefined ? null : `${other.name} at its end`;
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
  } finally {
    clearTimeout(late);
    await cleanUp();
  }
}

const sources = readdirSync(join(copy, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.startsWith('ui/'))
  .map((path) => ({ path: join(copy, 'src', path), text: readFileSync(join(copy, 'src', path), 'utf8') }));

function placeOf({ find }: Fault): { readonly path: string; readonly text: string } {
  const [place, other] = sources.filter(({ text }) => text.includes(find));
  if (place === undefined || other !== undefined || place.text.indexOf(find) !== place.text.lastIndexOf(find))
    throw new Error(`This text has to stand in one place of src: ${find}`);
  return place;
}

for (const fault of FAULTS) placeOf(fault);
const building = await context({
  entryPoints: ['src/server/main.ts'],
  outdir: 'dist/server/program',
  absWorkingDir: copy,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: [...APART, ...ABSENT],
  banner: { js: REQUIRE },
  logLevel: 'error',
});
await building.rebuild();
const isQuick = process.argv.includes('--quick');
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const playsOf = (about: string) => (isInMemory ? IN_MEMORY : (FIRST[about] ?? USUAL).slice(0, isQuick ? 2 : undefined));
const unbroken = [...new Set([...FAULTS.flatMap(({ about }) => playsOf(about))])];
if (only.length === 0)
  for (const name of unbroken) {
    const difference = await differs(name);
    if (difference !== null) throw new Error(`Without a fault, ${name} is not as it was recorded: ${difference}`);
  }

const missed: Fault[] = [];
const tried = FAULTS.map((fault, index) => ({ fault, number: index + 1 })).filter(
  ({ fault, number }) => only.length === 0 || only.includes(String(number)) || only.includes(fault.about),
);
for (const { fault, number } of tried) {
  const { path, text } = placeOf(fault);
  writeFileSync(
    path,
    text.replace(fault.find, () => fault.replace),
  );
  await building.rebuild();
  let found: string | null = null;
  for (const name of playsOf(fault.about)) {
    const difference = await differs(name);
    if (difference !== null) found = `${name} (${difference})`;
    if (found !== null) break;
  }
  writeFileSync(path, text);
  if (found === null) missed.push(fault);
  console.log(`${number} ${fault.about}: ${found ?? `MISSED ${fault.find}`}`);
}
console.log(`${tried.length - missed.length} of ${tried.length} faults are noticed`);
await building.dispose();
rmSync(copy, { recursive: true, force: true });
process.exit(missed.length > tried.length / 20 ? 1 : 0);

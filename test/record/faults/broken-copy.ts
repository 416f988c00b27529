import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type BuildContext, context } from 'esbuild';
import { ROOT } from '../../support/build.js';
import type { Fault } from './faults.js';

const COPIED = ['src', 'test', 'package.json', 'tsconfig.json', 'docs', 'CHANGELOG.md', 'README.md'];
const APART = ['sqlite3', 'tiny-secp256k1', 'pg'];
const ABSENT = ['better-sqlite3', 'mariadb/callback', 'mysql', 'mysql2', 'oracledb', 'pg-query-stream', 'tedious'];
const REQUIRE = "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";
/** Tests of a fault need neither a database nor a build. */
const TEST_CONFIG = `export default { test: { setupFiles: ['test/support/each-file.ts'], include: ['test/**/*.test.ts'], pool: 'forks' } };`;

/** Where a fault lies in the bundle: a file of it, and the first character that the fault changes. */
export interface Place {
  readonly file: string;
  readonly offset: number;
}

/** A copy of the source below this checkout, so that packages are found as ever, in which one fault at a time is planted. */
export class BrokenCopy {
  readonly folder: string;
  readonly #sources: readonly { readonly path: string; readonly text: string }[];
  #building: BuildContext | undefined;
  /** The bundle without a fault, by name. */
  #unbroken: ReadonlyMap<string, string> = new Map();

  constructor() {
    mkdirSync(join(ROOT, 'dist/.cache'), { recursive: true });
    this.folder = mkdtempSync(join(ROOT, 'dist/.cache/faults-'));
    for (const name of COPIED) cpSync(join(ROOT, name), join(this.folder, name), { recursive: true });
    mkdirSync(join(this.folder, 'dist/server/program'), { recursive: true });
    for (const name of ['ui', 'swagger-ui']) symlinkSync(join(ROOT, 'dist', name), join(this.folder, 'dist', name));
    writeFileSync(join(this.folder, 'vitest.config.ts'), TEST_CONFIG);
    this.#sources = readdirSync(join(this.folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('ui/'))
      .map((path) => join(this.folder, 'src', path))
      .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  }

  get program(): string {
    return join(this.folder, 'dist/server/program/main.js');
  }

  /** The one file of the source in which this text stands, once; null where it stands nowhere, or more than once. */
  placeOf({ find }: Fault): { readonly path: string; readonly text: string } | null {
    const [place, other] = this.#sources.filter(({ text }) => text.includes(find));
    if (place === undefined || other !== undefined) return null;
    return place.text.indexOf(find) === place.text.lastIndexOf(find) ? place : null;
  }

  /** Builds what has no fault. */
  async build(): Promise<void> {
    this.#building = await context({
      entryPoints: ['src/server/main.ts'],
      outdir: 'dist/server/program',
      absWorkingDir: this.folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: [...APART, ...ABSENT],
      banner: { js: REQUIRE },
      logLevel: 'error',
      write: false,
    });
    this.#unbroken = await this.#built();
  }

  /** Runs this while the fault is planted; it is given where the fault lies, or null where the bundle stays the same. */
  async with<T>(fault: Fault, run: (place: Place | null) => Promise<T>): Promise<T> {
    const { path, text } = this.placeOf(fault) ?? { path: '', text: '' };
    if (path === '') throw new Error(`This text stands in no one place of src: ${fault.find}`);
    writeFileSync(
      path,
      text.replace(fault.find, () => fault.replace),
    );
    try {
      return await run(this.#difference(await this.#built()));
    } finally {
      writeFileSync(path, text);
    }
  }

  async remove(): Promise<void> {
    await this.#building?.dispose();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #built(): Promise<ReadonlyMap<string, string>> {
    const { outputFiles = [] } = (await this.#building?.rebuild()) ?? {};
    for (const { path, text } of outputFiles) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return new Map(outputFiles.map(({ path, text }) => [relative(dirname(this.program), path), text]));
  }

  /** Names of files hold hashes, which differ with what they import: as long as they are, they are no difference. */
  #difference(broken: ReadonlyMap<string, string>): Place | null {
    const plain = (text: string) => text.replaceAll(/-[A-Z0-9]{8}\.js/g, '-########.js');
    const others = new Set([...broken.values()].map(plain));
    const [changed] = [...this.#unbroken].filter(([, text]) => !others.has(plain(text)));
    if (changed === undefined) return null;
    const [file, text] = changed;
    const known = new Set([...this.#unbroken.values()].map(plain));
    const other = [...others].find((one) => !known.has(one)) ?? '';
    const same = plain(text);
    let offset = 0;
    while (offset < same.length && same[offset] === other[offset]) offset += 1;
    return { file, offset };
  }
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApp, startApp } from '../support/app.js';
import { type GeneratedClient, generateClient } from '../support/generated-client.js';
import { fenced } from '../support/pages.js';
import { hasPython, PYTHON_CLIENT } from '../support/python.js';

const run = promisify(execFile);
const PAGE = 'docs/api.md';
/** The client in a language: the last block of the page in it. */
const only = (language: string): string => fenced(PAGE, language).at(-1)?.text ?? '';

let app: RunningApp;
let generated: GeneratedClient;
beforeAll(async () => {
  app = await startApp({ streams: {} });
  generated = await generateClient((await app.client.get('/openapi.json')).json());
});
afterAll(() => generated.remove());

async function printed(command: string, ...args: string[]): Promise<readonly string[]> {
  const { stdout } = await run(command, args, { env: { ...process.env, ...PYTHON_CLIENT, BASE: app.url } });
  return stdout.trim().split('\n');
}

const ORDER = 'filled: 35.08 shares';
/** A language, its program, and what that prints. */
type Shown = readonly [string, () => Promise<readonly string[]>, readonly string[]];

const typescript = () => {
  expect(generated.compile(only('ts'))).toEqual([]);
  return printed(process.execPath, generated.program);
};
const FILL = ['1 order.requested', '2 order.accepted', '3 order.fill'];
const PYTHON: Shown = ['Python', () => printed('python3', '-c', only('python')), [ORDER, ...FILL]];
const PROGRAMS: readonly Shown[] = [
  ['curl', () => printed('sh', '-c', only('sh')), [ORDER]],
  ['TypeScript', typescript, [ORDER]],
  ...(hasPython() ? [PYTHON] : []),
];

describe(PAGE, () => {
  test.each(PROGRAMS)('shows a client in %s that says what became of its order', async (_, program, told) => {
    expect(await program()).toEqual(told);
  });
});

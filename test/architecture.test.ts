import { resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { ROOT } from './support/build.js';
import { fileCircles, folderCircles } from './support/circles.js';
import { forbiddenImports, importsPastDoors, LAYERS, layerOf, unusedPermissions } from './support/layers.js';
import { nodesOf, parse, sourcesIn } from './support/sources.js';

const sources = sourcesIn('src');

/** For each row of the table an import that must not be, in all the forms that an import can take. */
const PROBES: readonly (readonly [path: string, text: string])[] = [
  ['src/core/probe.ts', `import { MemoryLedger } from '../adapters/memory/memory-ledger.js';`],
  ['src/core/probe.ts', `import type { PlaceOrder } from './usecases/orders/place-order.js';`],
  ['src/core/probe.ts', `import { ledger } from '../ports/ledger.js';`],
  ['src/core/order/probe.ts', `import { createHash } from 'node:crypto';`],
  ['src/core/usecases/probe.ts', `export { knex } from 'knex';`],
  ['src/core/usecases/probe.ts', `import { type Ledger, ledger } from '../../ports/ledger.js';`],
  ['src/ports/probe.ts', `import { NO_USDC } from '../core/money.js';`],
  ['src/ports/probe.ts', `import type Koa from 'koa';`],
  ['src/core.ts', `export { MemoryLedger } from './adapters/memory/index.js';`],
  ['src/stakeport/probe.ts', `import { openSqlLedger } from '../adapters/sql/index.js';`],
  ['src/index.ts', `export * from './adapters/memory/index.js';`],
  ['src/index.ts', `import 'reflect-metadata';`],
  ['src/memory.ts', `export * from './adapters/sql/index.js';`],
  ['src/http.ts', `import type { Ledger } from './ports/ledger.js';`],
  ['src/webhooks.ts', `export * from './adapters/http/index.js';`],
  ['src/backtest/probe.ts', `import { openSqlLedger } from '../adapters/sql/index.js';`],
  ['src/testing/probe.ts', `import { test } from 'vitest';`],
  ['src/adapters/memory/probe.ts', `import { PaperExchange } from '../paper/paper-exchange.js';`],
  ['src/adapters/memory/probe.ts', `import { PlaceOrder } from '../../core/usecases/orders/place-order.js';`],
  ['src/adapters/paper/probe.ts', `const http = await import('node:http');`],
  ['src/adapters/polymarket/probe.ts', `import { PaperExchange } from '../paper/paper-exchange.js';`],
  ['src/adapters/polymarket/execution/probe.ts', `import { KeyFileSigner } from '../signing/signers/index.js';`],
  ['src/adapters/polymarket/market-data/probe.ts', `import { PolymarketExchange } from '../execution/exchange.js';`],
  ['src/adapters/polymarket/http/probe.ts', `import type { MarketRecords } from '../market-data/records.js';`],
  ['src/adapters/polymarket/websocket/probe.ts', `import { WebSocket } from 'ws';`],
  ['src/adapters/kalshi/probe.ts', `import { polymarket } from '../polymarket/polymarket.js';`],
  ['src/adapters/kalshi/http/probe.ts', `import { WebSocket } from 'ws';`],
  ['src/adapters/kalshi/websocket/probe.ts', `import { KalshiRest } from '../market-data/kalshi-rest.js';`],
  ['src/adapters/kalshi/market-data/probe.ts', `import { kalshi } from '../../http/index.js';`],
  ['src/adapters/kalshi/execution/probe.ts', `import { KalshiRest } from '../market-data/kalshi-rest.js';`],
  ['src/adapters/venue/probe.ts', `import { polymarket } from '../polymarket/polymarket.js';`],
  ['src/adapters/transport/probe.ts', `import type { ClobTrading } from '../polymarket/http/clob-trading.js';`],
  ['src/adapters/polymarket/signing/probe.ts', `import { privateKeyToAccount } from 'viem/accounts';`],
  ['src/adapters/polymarket/signing/signers/probe.ts', `import { signRecoverable } from 'tiny-secp256k1';`],
  ['src/adapters/webhooks/probe.ts', `import { request } from 'undici';`],
  ['src/adapters/tape/probe.ts', `import { request } from 'undici';`],
  ['src/adapters/import/probe.ts', `import { request } from 'undici';`],
  ['src/adapters/telegram/probe.ts', `import { NtfyMessenger } from '../ntfy/index.js';`],
  ['src/adapters/ntfy/probe.ts', `import { request } from 'undici';`],
  ['src/adapters/market-data/probe.ts', `import { sql } from '../sql/index.js';`],
  ['src/adapters/system/probe.ts', `import { readFile } from 'node:fs/promises';`],
  ['src/adapters/auth/probe.ts', `let app: import('koa').Context;`],
  ['src/adapters/sql/probe.ts', `import { injectable } from 'inversify';`],
  ['src/adapters/http/probe.ts', `import { pino } from 'pino';`],
  ['src/adapters/http/probe.ts', `const { knex } = require('knex');`],
  ['src/cli/probe.ts', `import { Container } from 'inversify';`],
  ['src/cli/api/probe.ts', `import { openSqlLedger } from '../../adapters/sql/index.js';`],
  ['src/backtest/probe.ts', `import { knex } from 'knex';`],
  ['src/backtest/index.ts', `export { MemoryLedger } from '../adapters/memory/index.js';`],
  ['src/sweep/probe.ts', `import { MemoryLedger } from '../adapters/memory/index.js';`],
  ['src/report/probe.tsx', `import { writeRun } from '../backtest/files.js';`],
  ['src/ui/probe.ts', `import { createHash } from 'node:crypto';`],
  ['src/ui/probe.tsx', `import { route } from '../adapters/http/route.js';`],
  ['src/settings/probe.ts', `import { polymarket } from '../adapters/polymarket/index.js';`],
  ['src/adapters/http/probe.ts', `import { container } from '../../server/wiring/container.js';`],
  ['src/adapters/new-venue/probe.ts', `export {};`],
];

describe('the direction of imports', () => {
  test('is checked across the whole project', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.filter(({ path }) => layerOf(path) === 'src/core').length).toBeGreaterThan(10);
  });

  test.each(Object.keys(LAYERS))('holds in %s', (row) => {
    expect(forbiddenImports(sources.filter(({ path }) => layerOf(path) === row))).toEqual([]);
  });

  test('leaves no file without a row', () => {
    expect(sources.filter(({ path }) => layerOf(path) === undefined)).toEqual([]);
  });

  test.each(PROBES)('catches in %s: %s', (path, text) => {
    expect(forbiddenImports([parse(path, text)])).toHaveLength(1);
  });

  test('allows in no row what no file there imports', () => {
    expect(unusedPermissions(sources)).toEqual([]);
  });

  test('flags a permission that no file uses, or only for types', () => {
    const files = [parse('src/ports/a.ts', `import type { Agent } from 'undici';`)];
    const layers = { 'src/ports': { folders: ['src/core'], packages: ['undici', 'ws'] } };
    const unused = ['src/core', 'undici', 'ws'].map((name) => `src/ports allows ${name}`);
    expect(unusedPermissions(files, layers)).toEqual(unused);
  });

  test('has a probe for every row that forbids anything', () => {
    const probed = new Set(PROBES.map(([path]) => layerOf(path)));
    const rows = Object.keys(LAYERS).filter((row) => row !== 'src/server');
    expect(rows.filter((row) => !probed.has(row))).toEqual([]);
  });
});

describe('the folders of the core', () => {
  const core = sources.filter(({ path }) => path.startsWith('src/core/'));

  test('have no circular imports between folders', () => {
    expect(folderCircles(core)).toEqual([]);
  });

  test('count as circular when one reaches back, even for a type', () => {
    const back = parse('src/core/market/probe.ts', `import type { Books } from '../posting/books.js';`);
    const [group] = folderCircles([...core, back]);
    expect(group).toEqual(expect.arrayContaining(['src/core/market', 'src/core/order', 'src/core/posting']));
  });
});

describe('a venue', () => {
  test('is entered through its door alone', () => {
    expect(importsPastDoors(sources)).toEqual([]);
  });

  test.each([
    [
      'src/server/wiring/probe.ts',
      `import { connectPolymarket } from '../../adapters/polymarket/execution/connect.js';`,
    ],
    ['src/cli/probe.ts', `import type { Result } from '../adapters/polymarket/http/answer.js';`],
    ['src/settings/probe.ts', `export { wallet } from '../adapters/polymarket/wallet.js';`],
  ])('is guarded from %s: %s', (path, text) => {
    expect(importsPastDoors([parse(path, text)])).toHaveLength(1);
  });
});

describe('circles of files that import each other', () => {
  test('are nowhere, not even of types', () => {
    expect(fileCircles(sources)).toEqual([]);
  });

  test('are caught, though only types go round', () => {
    const probes = [
      parse('src/core/a.ts', `import type { B } from './b.js';`),
      parse('src/core/b.ts', `export { C } from './c.js';`),
      parse('src/core/c.ts', `let a: import('./a.js').A;`),
    ];
    expect(fileCircles(probes)).toEqual([['src/core/a.ts', 'src/core/b.ts', 'src/core/c.ts']]);
  });
});

describe('the type project of the core', () => {
  const probes = {
    sound: `import { NO_USDC } from './money.js'; export const half = NO_USDC / 2n;`,
    process: 'export const home = process.env;',
    crypto: 'export const id = crypto.randomUUID();',
    timers: 'setTimeout(() => {}, 1);',
    console: `console.log('');`,
    fetch: `await fetch('');`,
    buffer: `export const bytes = Buffer.from('');`,
    node: `import 'node:fs'; export const fs = await import('node:fs');`,
    adapters: `import { MemoryLedger } from '../adapters/memory/memory-ledger.js'; export const ledger = new MemoryLedger();`,
  };
  const program = coreProgram(probes);

  test('accepts code that the core may contain', () => {
    expect(complaints(program, 'sound')).toEqual([]);
  });

  test.each(Object.keys(probes).slice(1))('refuses %s', (name) => {
    expect(complaints(program, name)).not.toEqual([]);
  });

  test('sees no division of anything but bigint, but for statistics', () => {
    const divide = coreProgram({ division: 'export const half = (n: number): number => n / 2;' });
    expect(roundedDivisions(divide)).toEqual(['src/core/division.ts']);
  });
});

function coreProgram(probes: Readonly<Record<string, string>>): ts.Program {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.core.json'), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const texts = new Map(Object.entries(probes).map(([name, text]) => [resolve(ROOT, `src/core/${name}.ts`), text]));
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  return ts.createProgram([...fileNames, ...texts.keys()], options, host);
}

function complaints(program: ts.Program, probe: string): string[] {
  const file = program.getSourceFile(resolve(ROOT, `src/core/${probe}.ts`));
  const found = [...program.getSemanticDiagnostics(file), ...program.getOptionsDiagnostics()];
  const own = found.filter((diagnostic) => diagnostic.file === file);
  return own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function roundedDivisions(program: ts.Program): string[] {
  const checker = program.getTypeChecker();
  const isBigInt = (node: ts.Node) =>
    checker.isTypeAssignableTo(checker.getTypeAtLocation(node), checker.getBigIntType());
  const core = program.getSourceFiles().filter(({ fileName }) => {
    const isStatistics = fileName.startsWith(resolve(ROOT, 'src/core/performance/'));
    return fileName.startsWith(resolve(ROOT, 'src/core/')) && !isStatistics;
  });
  return core.flatMap((tree) => {
    const path = tree.fileName.slice(ROOT.length + 1);
    const divisions = nodesOf({ path, text: tree.text, tree }, ts.isBinaryExpression).filter(isDivision);
    return divisions.filter(({ left }) => !isBigInt(left)).map(() => path);
  });
}

function isDivision({ operatorToken: { kind } }: ts.BinaryExpression): boolean {
  return kind === ts.SyntaxKind.SlashToken || kind === ts.SyntaxKind.SlashEqualsToken;
}

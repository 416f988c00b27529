import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/server/failures/exit.js';
import { VARIABLES } from '../../src/server/settings/settings.js';
import { ROOT } from '../support/build.js';
import { startProgram, startServer } from '../support/processes.js';

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DEPLOYED = ['Dockerfile', 'compose.yaml', ...readdirSync(join(ROOT, 'deploy')).map((name) => `deploy/${name}`)];
/** The names in the code: of metrics alone, in quotes. */
function metricsInCode(): ReadonlySet<string> {
  const files = ['src/server', 'src/adapters/http'].flatMap((folder) => {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.ts')).map((name) => text(`${folder}/${name}`));
  });
  return new Set([...files.join('\n').matchAll(/'((?:stakeport|http)_[a-z_]+)'/g)].map(([, name = '']) => name));
}

/** Of the programs beside the server. */
const OTHERS = /^(POSTGRES_\w+|(OWNER|SERVER|READER)_PASSWORD)$/;

test.each([
  ['compose.yaml', /^ {6}([A-Z][A-Z_]+):/gm],
  ['Dockerfile', /(?:^ENV |(?<=^ENV .*) )([A-Z][A-Z_]+)=/gm],
  ['deploy/stakeport.service', /^Environment=([A-Z][A-Z_]+)=/gm],
])('every setting that %s sets is one that the server reads', (path, pattern) => {
  const named = [...text(path).matchAll(pattern)].map(([, name = '']) => name).filter((name) => !OTHERS.test(name));
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !VARIABLES.includes(name))).toEqual([]);
});

test('the image has no compiler, root user, dev dependency or missing file', () => {
  const [, build = '', image = ''] = text('Dockerfile').split(/^FROM /m);
  expect(build).toContain('npm prune --omit=dev');
  expect(build.split('\n')[0]?.replace(' AS build', '')).toBe(image.split('\n')[0]);
  expect(image).not.toMatch(/apt-get|npm/);
  expect(image.indexOf('USER node')).toBeGreaterThan(image.indexOf('RUN '));
  const allowed = text('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  expect(allowed.length).toBeGreaterThan(0);
  for (const line of allowed.filter((one) => !one.includes('*')))
    expect(existsSync(join(ROOT, line.slice(1))), line).toBe(true);
  const copied = [...image.matchAll(/\/app\/([\w.-]+)/g)].map(([, name = '']) => name);
  const made = ['node_modules', 'dist'];
  expect(copied.filter((name) => !made.includes(name) && !allowed.includes(`!${name}`))).toEqual([]);
});

test('the image runs Node 24 and has a working health check', async () => {
  const image = text('Dockerfile');
  expect(image.match(/^FROM .*$/gm)).toEqual(['FROM node:24-bookworm-slim AS build', 'FROM node:24-bookworm-slim']);
  const [, command = '[]'] = /HEALTHCHECK .*\\\n {2}CMD (\[.*\])/.exec(image) ?? [];
  const [program = '', ...args] = JSON.parse(command) as string[];
  const server = await startServer({ env: { DATABASE_URL: 'memory:', LOG_LEVEL: 'error' } });
  const { port: PORT } = new URL(server.url);
  const checked = async () => (await startProgram(program, { args, env: { PORT } }).ended).code;
  expect(await checked()).toBe(0);
  await server.kill('SIGKILL');
  expect(await checked()).toBe(1);
});

test('the unit gives the server no more than it needs', () => {
  const unit = text('deploy/stakeport.service').split('\n');
  const denied = [
    'NoNewPrivileges=yes',
    'DynamicUser=yes',
    'ProtectSystem=strict',
    'ProtectHome=yes',
    'PrivateTmp=yes',
  ];
  const narrow = [
    'CapabilityBoundingSet=',
    'SystemCallFilter=@system-service',
    'UMask=0077',
    'StateDirectoryMode=0700',
  ];
  expect([...denied, ...narrow].filter((line) => !unit.includes(line))).toEqual([]);
});

test('Prometheus of compose.yaml reaches the server whatever ALLOWED_HOSTS is in .env', () => {
  expect(text('compose.yaml')).toMatch(/ALLOWED_HOSTS: server\$\{ALLOWED_HOSTS:\+,\$ALLOWED_HOSTS\}$/m);
});

test('compose.yaml starts the server again as every service that stays', () => {
  const [, server = ''] = /^ {2}server:\n((?: {4}.*\n|\n)+)/m.exec(text('compose.yaml')) ?? [];
  expect(server).toContain('\n    restart: unless-stopped\n');
});

test('the unit restarts the server only after what a restart may fix', () => {
  const unit = text('deploy/stakeport.service');
  expect(unit).toContain(`RestartPreventExitStatus=${EXIT.usage} ${EXIT.config}`);
  expect(unit).toMatch(/^Restart=on-failure$/m);
});

test('the alerts and Prometheus configuration name existing metrics and targets', () => {
  const known = metricsInCode();
  const rules = text('deploy/alerts.yml');
  const used = new Set(rules.match(/\b(stakeport|http)_[a-z_]+/g)?.map((name) => name.replace(/_(count|bucket)$/, '')));
  expect(used.size).toBeGreaterThan(10);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  expect(rules.match(/- alert:/g)?.length).toBe(rules.match(/ {10}action: \S/g)?.length);
  expect(text('compose.yaml')).toMatch(/^ {2}server:$/m);
  expect(text('deploy/prometheus.yml')).toContain('targets: [server:8080]');
});

test('docs/operating.md explains each metric that there is, and no other', () => {
  const listed = [...text('docs/operating.md').matchAll(/^\| `((?:stakeport|http)_\w+)` \|/gm)].map(([, name]) => name);
  expect(listed.length).toBeGreaterThan(15);
  expect(listed.toSorted()).toEqual([...metricsInCode()].toSorted());
});

test.each(['deploy/nginx.conf', 'deploy/Caddyfile'])(
  '%s streams events unbuffered, hides the metrics and never retries an order',
  (path) => {
    const lines = text(path);
    expect(lines).toMatch(/proxy_buffering off|flush_interval -1/);
    expect(lines).toMatch(/metrics \{\s+return 404|respond \/metrics 404/);
    expect(lines).toMatch(/proxy_next_upstream off|lb_retries 0/);
  },
);

test('no file of a deployment holds a secret: each is asked for', () => {
  for (const path of DEPLOYED) {
    const given = text(path).match(/(PASSWORD|PEPPER|SECRET\w*|_KEY)(=|: )(?!\$\{)\S+/g);
    expect(given, path).toBeNull();
  }
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { EXIT } from '../../src/server/failures/exit-codes.js';
import { VARIABLES } from '../../src/server/settings/settings.js';
import { ROOT } from '../support/build.js';

const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const DEPLOYED = ['Dockerfile', 'compose.yaml', ...readdirSync(join(ROOT, 'deploy')).map((name) => `deploy/${name}`)];
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

test('the image has no compiler, no root and no development dependency, and what it copies is there', () => {
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

test('the unit starts the server again after what a restart may mend, and after nothing else', () => {
  const unit = text('deploy/stakeport.service');
  expect(unit).toContain(`RestartPreventExitStatus=${EXIT.usage} ${EXIT.config}`);
  expect(unit).toMatch(/^Restart=on-failure$/m);
});

test('the alerts and the configuration of Prometheus name metrics and targets that there are', () => {
  const sources = [
    'src/adapters/http/metrics.ts',
    'src/server/http/server.ts',
    'src/server/background/live-venues.ts',
  ].map(text);
  const known = new Set(sources.join('\n').match(/\b(stakeport|http)_[a-z_]+/g));
  const rules = text('deploy/alerts.yml');
  const used = new Set(rules.match(/\b(stakeport|http)_[a-z_]+/g)?.map((name) => name.replace(/_count$/, '')));
  expect(used.size).toBeGreaterThan(4);
  expect([...used].filter((name) => !known.has(name))).toEqual([]);
  expect(rules.match(/- alert:/g)?.length).toBe(rules.match(/ {10}action: \S/g)?.length);
  expect(text('compose.yaml')).toMatch(/^ {2}server:$/m);
  expect(text('deploy/prometheus.yml')).toContain('targets: [server:8080]');
});

test.each(['deploy/nginx.conf', 'deploy/Caddyfile'])(
  '%s passes each event on at once, hides the metrics, and sends no order twice',
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

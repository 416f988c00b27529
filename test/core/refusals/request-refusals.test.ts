import { expect, test } from 'vitest';
import { problemOf } from '../../../src/adapters/http/errors.js';
import { PROBLEMS } from '../../../src/adapters/http/problem.js';
import { DomainError } from '../../../src/core/errors.js';
import { REQUEST_REFUSALS, type RequestRefusal } from '../../../src/core/refusals/request-refusals.js';

/** A refusal with this code, and nothing else of its error. */
class Refused extends DomainError {
  constructor(readonly code: string) {
    super('A sentence.');
  }
}

/** The answer that each kind of refusal gets over HTTP. */
const ANSWERS: Readonly<Record<RequestRefusal['kind'], string>> = {
  invalid: '422 validation-failed',
  absent: '404 not-found',
  forbidden: '403 insufficient-scope',
  conflict: '409',
  limited: '429',
  gone: '410',
  unavailable: '503 unavailable',
  broken: '500 internal-error',
};

const EXCEPTIONS: Readonly<Record<string, string>> = {
  version_mismatch: '412 precondition-failed',
  live_automation_refused: '403 live-trading-not-enabled',
};

const refusals: readonly (readonly [code: string, RequestRefusal])[] = Object.entries(REQUEST_REFUSALS);

test.each(refusals)('%s is answered as its kind is, or under its own name', (code, { kind, title }) => {
  const { status, problem } = problemOf(new Refused(code));
  const [byKind = ''] = ANSWERS[kind].split(' ');
  const own = `${byKind} ${code.replaceAll('_', '-')}`;
  expect(`${status} ${problem}`).toBe(title === undefined ? (EXCEPTIONS[code] ?? ANSWERS[kind]) : own);
});

test('a refusal with its own title also says what to do', () => {
  const explained = refusals.filter(([, { title }]) => title !== undefined);
  expect(explained.length).toBeGreaterThan(15);
  for (const [code, { title, help }] of explained)
    expect(Object.values(PROBLEMS)).toContainEqual([problemOf(new Refused(code)).status, title, help]);
});

test('a code that is not listed is a fault of the service', () => {
  expect(problemOf(new Refused('of_tomorrow')).status).toBe(500);
  expect(problemOf(new Refused('constructor')).status).toBe(500);
});

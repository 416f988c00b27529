import { expect, it } from 'vitest';
import { overBudget } from './over-budget.js';

const STORIES = ['e2e/audit: finds nothing'];
const took = (title: string, ms: number, file = 'e2e/audit') => ({ file, title, ms });

it('slow tests are named, the slowest first, but for listed stories', () => {
  const tests = [took('finds nothing', 9000), took('is slow', 2100), took('is slower', 3000), took('is quick', 1999)];
  expect(overBudget(tests, STORIES)).toEqual(['   3.0 s  e2e/audit: is slower', '   2.1 s  e2e/audit: is slow']);
});

it('a listed story that its file does not have is named', () => {
  expect(overBudget([took('finds it all', 10)], STORIES)).toEqual(['no such test: e2e/audit: finds nothing']);
  expect(overBudget([took('finds it all', 10, 'e2e/other')], STORIES)).toEqual([]);
});

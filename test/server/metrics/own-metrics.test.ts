import { expect, test } from 'vitest';
import { METRICS } from '../../../src/server/metrics/own-metrics.js';
import { sourcesIn } from '../../support/sources.js';

test('the server makes each metric of its table once', () => {
  const texts = sourcesIn('src/server').map(({ text }) => text);
  const made = Object.keys(METRICS).map((name) => [name, texts.filter((text) => text.includes(`'${name}'`)).length]);
  expect(made.filter(([, times]) => times !== 1)).toEqual([]);
});

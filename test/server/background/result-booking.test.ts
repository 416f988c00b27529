import pino from 'pino';
import { expect, test } from 'vitest';
import { ResultBooking } from '../../../src/server/background/result-booking.js';
import { clockAt } from '../../support/builders.js';

/** A look that is under way until it is interrupted, and what was logged. */
function aLook() {
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  let interrupt = () => {};
  const execute = () => new Promise<never>((_, reject) => (interrupt = () => reject(new Error('aborted'))));
  const nameOf = async () => 'a market';
  const booking = new ResultBooking({ execute, nameOf }, clockAt('2026-03-01T12:00:00.000Z'), logger);
  return { booking, logged, interrupt: () => interrupt() };
}

test('a look for results that fails is logged', async () => {
  const { booking, logged, interrupt } = aLook();
  const running = booking.run();
  interrupt();
  await running;
  expect(logged).toEqual(['could not settle results; retrying']);
});

test('a look for results that the end of the server interrupts is no failure', async () => {
  const { booking, logged, interrupt } = aLook();
  const running = booking.run();
  booking.end();
  interrupt();
  await running;
  expect([logged, booking.late]).toEqual([[], null]);
});

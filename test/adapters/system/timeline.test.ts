import { expect, test } from 'vitest';
import { systemTimeline } from '../../../src/adapters/system/index.js';

const soon = (ms: number) => new Date(Date.now() + ms);

test('The system timeline runs tasks on time, overdue ones at once', async () => {
  const moment = soon(30);
  const ran = await new Promise<Date>((resolve) => systemTimeline.at(moment, () => resolve(systemTimeline.now())));
  // A timer may fire within the millisecond before its moment.
  expect(ran.getTime()).toBeGreaterThanOrEqual(moment.getTime() - 1);
  await new Promise<void>((resolve) => systemTimeline.at(new Date(0), resolve));
});

test('The system timeline runs no cancelled task, nor one beyond timer range', async () => {
  const ran: string[] = [];
  systemTimeline.at(soon(5), () => void ran.push('called off'))();
  const callOff = systemTimeline.at(soon(2 ** 31 + 60_000), () => void ran.push('far away'));
  await new Promise<void>((resolve) => systemTimeline.at(soon(30), resolve));
  callOff();
  expect(ran).toEqual([]);
});

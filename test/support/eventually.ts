import { vi } from 'vitest';

/** Waits until this holds, and fails with what does not; the time is for a machine that is busy with other work. */
export const eventually = <Value>(holds: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(holds, { timeout: 60_000, interval: 5 });

import type { Pause } from '../../ports/system.js';

/** Runs work of one name strictly one after another, in the order in which it was asked for. */
export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @throws what the work throws; the next does not mind */
  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const running = before.catch(() => {}).then(work);
    this.#last.set(name, running);
    return running.finally(() => {
      if (this.#last.get(name) === running) this.#last.delete(name);
    });
  }
}

/** Items of one turn of the process. */
const AT_ONCE = 50;

/** Does the work for one item after another, and yields to other work of the process in between. */
export async function inBatches<T>(
  items: Iterable<T>,
  pause: Pause | undefined,
  work: (item: T) => Promise<void> | undefined,
): Promise<void> {
  let done = 0;
  for (const item of items) {
    await work(item);
    done += 1;
    if (done % AT_ONCE === 0) await pause?.();
  }
}

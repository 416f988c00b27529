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

/** Runs work of one name strictly one after another, so that nothing older replaces something newer. */
export class InOrder {
  readonly #last = new Map<string, Promise<void>>();

  /** @throws what the work throws; the next does not mind */
  run(name: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const running = before.catch(() => {}).then(work);
    this.#last.set(name, running);
    return running.finally(() => {
      if (this.#last.get(name) === running) this.#last.delete(name);
    });
  }
}

/** A task to run at a moment. */
export interface Task {
  /** Milliseconds since 1970. */
  readonly moment: number;
  readonly run: () => void | Promise<void>;
}

/** Tasks in the order of their moments; those of one moment in the order in which they came. */
export class TaskQueue {
  readonly #tasks: Task[] = [];

  /** The returned function removes the task, unless it was taken. */
  add(task: Task): () => void {
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#tasks[middle] ?? task).moment <= task.moment) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
    return () => this.#remove(task);
  }

  /** The moment of the first task. */
  get first(): number | undefined {
    return this.#tasks[0]?.moment;
  }

  /** The moment of the last task. */
  get last(): number | undefined {
    return this.#tasks.at(-1)?.moment;
  }

  /** Removes and returns the first task when its moment is before this one. */
  takeBefore(moment: number): Task | undefined {
    const [first] = this.#tasks;
    return first !== undefined && first.moment < moment ? this.#tasks.shift() : undefined;
  }

  #remove(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index >= 0) this.#tasks.splice(index, 1);
  }
}

const cleanups = new Set<() => unknown>();

/**
 * Runs this after each test file of the process that uses it, the one that imported it first or a later one: files that share
 * a process share its modules too, and a hook of a module would belong to the first of them alone.
 */
export function afterEachFile(cleanup: () => unknown): void {
  cleanups.add(cleanup);
}

/** Runs all that there is to run after a file. */
export async function cleanUp(): Promise<void> {
  await Promise.all([...cleanups].map((cleanup) => cleanup()));
}

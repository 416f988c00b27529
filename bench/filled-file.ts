import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What is filled in beside orders. */
export interface FilledMore {
  /** As many decisions of the first strategy. */
  readonly decisions?: boolean;
}

/** Fills a new SQLite file with so many orders of one account; returns the ids of its strategies. */
export async function filled(
  path: string,
  orders: number,
  { decisions = false }: FilledMore = {},
): Promise<readonly string[]> {
  const program = new URL('./programs/fill-orders.ts', import.meta.url);
  const args = [path, `${orders}`, ...(decisions ? ['decisions'] : [])];
  const child = fork(program, args, { execArgv: ['--import', 'tsx'] });
  const exited = once(child, 'exit');
  const strategies = await new Promise<readonly string[]>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`the orders were not filled: ${code}`)));
  });
  child.disconnect();
  await exited;
  return strategies;
}

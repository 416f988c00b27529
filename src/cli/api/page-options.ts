import type { Command } from 'commander';

/** Which page of a list. */
export interface PageOptions {
  readonly limit?: string;
  readonly cursor?: string;
}

/** An option as commander takes it: its flag, and what it means. */
export type Flag = readonly [flags: string, description: string];

/** The options of every list. */
export const PAGE_OPTIONS: readonly Flag[] = [
  ['--limit <count>', 'the most to show, from 1 to 100; 50 when absent'],
  ['--cursor <cursor>', 'go on after a page: the cursor that it ended with'],
];

/** The page as the API is asked for it. */
export const pageQuery = ({ limit, cursor }: PageOptions) => ({ limit, cursor });

/** The command with these options. */
export function withOptions(command: Command, flags: readonly Flag[]): Command {
  for (const [flag, description] of flags) command.option(flag, description);
  return command;
}

/** An untrusted name as one segment of a path. */
export const segment = (name: string): string => encodeURIComponent(name);

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** What the process with the streams is asked to do. */
export type FollowersAsked =
  | {
      readonly kind: 'open';
      readonly url: string;
      readonly streams: number;
      readonly accounts: string;
      /** All ask for the whole log of this account, which is long, and read nothing of it. */
      readonly stalled?: boolean;
      /** What they follow; their events, from now on, unless it is named. */
      readonly path?: string;
    }
  /** As many webhooks, each of an account of its own, to a receiver in that process. */
  | { readonly kind: 'hook'; readonly url: string; readonly webhooks: number; readonly accounts: string }
  | {
      readonly kind: 'waits';
      readonly at: string;
      readonly followedAt: string;
      readonly count: number;
      readonly everyMs: number;
    }
  | { readonly kind: 'close' };

/** What it answers. */
export interface FollowersTold {
  readonly waits: readonly number[];
}

/** Clients of streams, and a receiver of webhooks, in a process of their own. */
export class Followers {
  readonly #child: ChildProcess = fork(new URL('./programs/followers.ts', import.meta.url), [], {
    execArgv: ['--import', 'tsx'],
  });

  /** @throws when a stream is refused, or breaks */
  async ask(asked: FollowersAsked): Promise<FollowersTold> {
    this.#child.send(asked);
    const [told] = (await once(this.#child, 'message')) as [FollowersTold | { error: string }];
    if ('error' in told) throw new Error(told.error);
    return told;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

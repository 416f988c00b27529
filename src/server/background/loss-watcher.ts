import type { Logger } from 'pino';
import type { WatchLosses } from '../../core/usecases/limits/background/watch-losses.js';
import type { MarkedHolder } from '../../core/usecases/limits/mark-equity.js';

/** Watches the losses of accounts, and logs what it finds, each finding once while it lasts. */
export class LossWatcher {
  #unmarked: ReadonlySet<string> = new Set();
  #fails = false;
  /** True where no account has losses that are limited, as far as is known. */
  isIdle = false;

  constructor(
    private readonly watch: Pick<WatchLosses, 'execute'>,
    private readonly logger: Logger,
  ) {}

  /** May be called while an earlier look goes on. Never throws. */
  async look(): Promise<void> {
    try {
      const { limited, unmarked, halted, failures, underWay } = await this.watch.execute();
      this.isIdle = limited === 0;
      for (const { account, paper, state, cancellation } of halted) {
        const { cancelled, working } = cancellation;
        const found = { account, paper, code: state.code, reason: state.reason, cancelled, working };
        this.logger.warn(found, 'an account is halted for its losses, and its working orders are cancelled');
      }
      for (const { error, ...holder } of failures) this.#failed(error, holder);
      this.#found(unmarked, underWay);
      this.#fails = failures.length > 0;
    } catch (error) {
      this.#failed(error);
      this.#fails = true;
    }
  }

  #found(unmarked: readonly MarkedHolder[], underWay: readonly MarkedHolder[]): void {
    for (const { account, paper } of unmarked)
      if (!this.#unmarked.has(nameOf({ account, paper })))
        this.logger.warn(
          { account, paper },
          'the equity of an account cannot be marked: its orders are refused meanwhile',
        );
    const still = underWay.map(nameOf).filter((name) => this.#unmarked.has(name));
    this.#unmarked = new Set([...unmarked.map(nameOf), ...still]);
  }

  #failed(error: unknown, holder: Partial<MarkedHolder> = {}): void {
    if (!this.#fails)
      this.logger.error({ err: error, ...holder }, 'could not measure the losses of accounts; retrying');
  }
}

const nameOf = ({ account, paper }: MarkedHolder): string => `${paper} ${account}`;

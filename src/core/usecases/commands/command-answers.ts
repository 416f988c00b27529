import type { Ledger } from '../../../ports/ledger.js';
import type { Clock, LocalTime } from '../../../ports/system.js';
import { type Holding, type Portfolio, worthOf } from '../../account/portfolio.js';
import { COMMANDS } from '../../endpoint/command.js';
import type { CommandChannel } from '../../endpoint/person.js';
import type { AccountId } from '../../ids.js';
import { moneyAt, outcomeOf } from '../../market/market.js';
import type { AskedBet } from '../../message/bundle.js';
import { eventWords } from '../../message/event-words.js';
import type { NewsData, TimeOfDay } from '../../message/interest.js';
import { gainedText, profitText, spentText } from '../../message/message-text.js';
import { formatMicro, minus, plus } from '../../money.js';
import { outcomeWords } from '../../order/order-words.js';
import type { ReadPortfolio } from '../accounts/read-portfolio.js';
import type { ReadApprovals } from '../approvals/read-approvals.js';
import type { SummariseDay } from '../endpoints/background/summarise-day.js';
import type { ReadTrading } from '../trading/read-trading.js';

/** What answers to commands are read from. */
export interface AnswerSources {
  readonly ledger: Pick<Ledger, 'read'>;
  readonly portfolio: Pick<ReadPortfolio, 'now'>;
  readonly summary: Pick<SummariseDay, 'execute'>;
  readonly trading: Pick<ReadTrading, 'now'>;
  readonly approvals: Pick<ReadApprovals, 'many'>;
  readonly wallClock: Clock;
  readonly localTime: LocalTime;
  /** The zone of a person who names none. */
  readonly zone: string;
}

/** The answer to a command: lines, and the bets among them that wait. */
export interface CommandAnswer {
  readonly lines: readonly string[];
  readonly asked: readonly AskedBet[];
}

const MOST_APPROVALS = 20;

/** Answers the commands that only show something, in the words of messages. */
export class CommandAnswers {
  constructor(private readonly sources: AnswerSources) {}

  /** The time of day of the chat. */
  timeOf({ target: { terms } }: Pick<CommandChannel, 'target'>): TimeOfDay {
    const { localTime, zone } = this.sources;
    return (at) => localTime(at, terms.zone ?? zone).time;
  }

  /** The answer to a command; to any other word, what can be commanded. @throws StorageUnavailable */
  async execute(channel: CommandChannel, name: string): Promise<CommandAnswer> {
    const { account } = channel;
    if (name === 'approvals') return this.#approvals(channel);
    const lines = await this.#lines(channel, account, name);
    return { lines, asked: [] };
  }

  async #lines(channel: CommandChannel, account: AccountId, name: string): Promise<readonly string[]> {
    switch (name) {
      case 'status':
        return this.#status(channel);
      case 'positions': {
        const held = (await this.#portfolios(account)).flatMap(({ holdings }) =>
          holdings.filter(isHeld).map(positionWords),
        );
        return held.length === 0 ? ['Nothing is open.'] : held;
      }
      case 'profit': {
        const made = (await this.#portfolios(account)).map(profitWords);
        return made.length === 0 ? ['Nothing was ever traded.'] : made;
      }
      default:
        return Object.entries(COMMANDS).map(([command, words]) => `/${command}: ${words}`);
    }
  }

  async #status(channel: CommandChannel): Promise<readonly string[]> {
    const { trading, summary, wallClock, localTime, zone } = this.sources;
    const { account, target } = channel;
    const { states } = await trading.now(account);
    const at = wallClock.now();
    const { day } = localTime(at, target.terms.zone ?? zone);
    const [, ...worth] = await summary.execute(account, day, at);
    const stopped = states.map((state) => this.#words(channel, 'trading.state', { kind: 'trading', state }));
    return [...(stopped.length === 0 ? ['Trading is active.'] : stopped), 'In the last 24 hours:', ...worth];
  }

  async #approvals(channel: CommandChannel): Promise<CommandAnswer> {
    const { items } = await this.sources.approvals.many(channel.account, 'waiting', { limit: MOST_APPROVALS });
    const asked = items.map((approval) => {
      return { line: this.#words(channel, 'approval.waiting', { kind: 'approval', approval }), approval };
    });
    return { lines: asked.length === 0 ? ['No bet waits for you.'] : asked.map(({ line }) => line), asked };
  }

  /** Of each kind of money that there ever was. */
  async #portfolios(account: AccountId): Promise<readonly Portfolio[]> {
    const { ledger, portfolio } = this.sources;
    const kinds = await ledger.read({ account }, (now) =>
      [false, true].filter((paper) => now.balances(paper).length > 0),
    );
    return Promise.all(kinds.map((paper) => portfolio.now(account, { paper, strategyId: null })));
  }

  #words(channel: CommandChannel, type: 'trading.state' | 'approval.waiting', data: NewsData): string {
    return eventWords({ seq: 0, type, data, strategy: null }, this.timeOf(channel));
  }
}

const isHeld = ({ position }: Holding): boolean => position.shares > 0n;

function positionWords(holding: Holding): string {
  const { position, market, mark } = holding;
  const name = outcomeWords({
    ...position,
    outcomeLabel: market === null ? null : (outcomeOf(market, position.outcome)?.label ?? null),
    event: market?.event?.title ?? null,
    question: market?.question ?? null,
    marketSlug: market?.slug ?? null,
  });
  const value = worthOf(holding);
  const profit = profitText(minus(value, position.cost));
  const worth = mark === null ? 'no price now' : `now ${gainedText(value)} at ${formatMicro(mark)}, ${profit}`;
  const cost = spentText(position.cost);
  return `${formatMicro(position.shares)} ${name} for ${cost}, ${worth}, ${moneyAt(position)}`;
}

function profitWords({ money, equity, realised, unrealised, fees }: Portfolio): string {
  const parts = `${profitText(realised)} realised, ${profitText(unrealised)} open, ${spentText(fees)} of fees`;
  const worth = equity === null ? '' : `, equity ${gainedText(equity)}`;
  return `Profit ${profitText(minus(plus(realised, unrealised), fees))}, ${money}: ${parts}${worth}`;
}

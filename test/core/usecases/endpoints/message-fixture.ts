import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { localTime } from '../../../../src/adapters/system/local-time.js';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import { DEFAULT_TERMS, type MessageTerms } from '../../../../src/core/endpoint/message-terms.js';
import type { MessageProgress, Person } from '../../../../src/core/endpoint/person.js';
import type { PersonTarget, TelegramTarget } from '../../../../src/core/endpoint/person-target.js';
import type { EndpointId, MarketId } from '../../../../src/core/ids.js';
import { messageUseCase } from '../../../../src/core/usecases/compose-messages.js';
import type { Turn } from '../../../../src/core/usecases/endpoints/background/deliver-webhooks.js';
import type { MessageParts } from '../../../../src/core/usecases/endpoints/background/message-parts.js';
import type { Message, SendOutcome } from '../../../../src/ports/messenger.js';
import { ALICE, anOrderContext, clockAt, type DraftChanges, NOON, price, usdc } from '../../../support/builders.js';
import { trading } from '../../../support/trading.js';

/** An account that trades on paper, and a person who is told of it, at noon in UTC. */
export class MessageFixture {
  readonly clock = clockAt(NOON);
  readonly ledger = new MemoryLedger();
  readonly trader = trading(this.ledger, { context: anOrderContext({ clock: this.clock }) });
  readonly delivered: Message[] = [];
  /** What the next messages meet; afterwards they are delivered. */
  readonly outcomes: SendOutcome[] = [];
  readonly chats: string[] = [];
  /** What is on record of the person. */
  progress: MessageProgress | undefined;
  disabledBecause: string | null = null;
  readonly givenUp: string[] = [];
  readonly skipped: (readonly number[])[] = [];
  readonly store: MessageParts['store'] = {
    progress: async () => this.progress,
    store: async (_, progress) => {
      this.progress = progress;
    },
    giveUp: async (_, seq, because) => {
      this.givenUp.push(`${seq} ${because}`);
    },
    disable: async (_, because) => {
      this.disabledBecause = because;
    },
    skip: async (_, from, to) => {
      this.skipped.push([from, to]);
    },
    move: async (_, __, chatId) => {
      this.person = { ...this.person, target: { ...(this.person.target as TelegramTarget), chatId } };
    },
  };
  person: Person;
  #messages = this.#made();

  constructor(terms: Partial<MessageTerms> = {}, changes: Partial<Person> = {}) {
    const own = { ...DEFAULT_TERMS, ...terms };
    const target: TelegramTarget = { kind: 'telegram', chatId: '1', threadId: null, terms: own };
    const who = {
      account: ALICE,
      id: 'me' as EndpointId,
      types: [],
      description: '',
      startsAfter: 0,
      sealedToken: null,
    };
    this.person = { ...who, createdAt: new Date(NOON), ...changes, target };
  }

  /** A round, as the server does it. */
  round(turn: Turn = { send: (work) => work() }): Promise<Date | null> {
    return this.#messages.execute(this.person, turn);
  }

  /** Rounds every second for so long; returns what was delivered in that time. */
  async passes(seconds: number, meanwhile: (second: number) => Promise<unknown> = async () => {}): Promise<string[]> {
    const before = this.delivered.length;
    for (let second = 0; second < seconds; second += 1) {
      await meanwhile(second);
      await this.round();
      this.clock.tick(1000);
    }
    return this.delivered.slice(before).map(({ text }) => text);
  }

  /** The process ends, and another one begins with what is on record. */
  restart(): void {
    this.#messages = this.#made();
  }

  /** An order that fills at once. */
  bets(changes: DraftChanges = {}) {
    return this.trader.place({ marketId: 'Arsenal' as MarketId, price: price('0.5'), size: usdc('10'), ...changes });
  }

  async halts(): Promise<void> {
    const may = new Set(AUTH_SCOPES);
    const change = {
      scope: 'account',
      state: 'halted',
      stops: 'all',
      reason: 'enough',
      by: 'me',
      until: null,
    } as const;
    await this.trader.use.trading.set.execute({ account: ALICE, change, may, cancel: false, idempotencyKey: null });
  }

  #made() {
    const send = async (target: PersonTarget, _: unknown, message: Message): Promise<SendOutcome> => {
      const outcome = this.outcomes.shift() ?? { kind: 'delivered' };
      this.chats.push(target.kind === 'telegram' ? target.chatId : '');
      if (outcome.kind === 'delivered') this.delivered.push(message);
      return outcome;
    };
    const messenger = { limit: { most: 4096, sizeOf: (text: string) => text.length }, send };
    return messageUseCase(this.trader.ports, this.trader.use.accounts, {
      messengers: { telegram: messenger, ntfy: messenger },
      localTime,
      zone: 'UTC',
      open: (sealed) => sealed,
      store: this.store,
    });
  }
}

import { randomBytes } from 'node:crypto';
import { MemoryLedger } from '../../../../src/adapters/memory/memory-ledger.js';
import { NtfyMessenger } from '../../../../src/adapters/ntfy/index.js';
import { localTime } from '../../../../src/adapters/system/local-time.js';
import { TelegramMessenger } from '../../../../src/adapters/telegram/index.js';
import { AddressRule, EVERY_PORT } from '../../../../src/adapters/transport/address-rule.js';
import { GuardedHttp } from '../../../../src/adapters/transport/guarded-http.js';
import { AesSecretBox, StandardWebhookSender } from '../../../../src/adapters/webhooks/index.js';
import { AUTH_SCOPES } from '../../../../src/core/access/principal.js';
import type { Endpoint } from '../../../../src/core/endpoint/endpoint.js';
import { DEFAULT_TERMS, type MessageTerms } from '../../../../src/core/endpoint/message-terms.js';
import type { MarketId } from '../../../../src/core/ids.js';
import type { EventType } from '../../../../src/core/ledger/event-log.js';
import { type WebhookUseCases, webhookUseCases } from '../../../../src/core/usecases/compose-webhooks.js';
import { logOf } from '../../../contract/ledger-log.js';
import { ALICE, anOrderContext, clockAt, NOON, price, usdc } from '../../../support/builders.js';
import { FakeNtfy, NTFY_TOKEN, TOPIC } from '../../../support/fake-messengers/fake-ntfy.js';
import { BOT_TOKEN, CHAT, FakeTelegram } from '../../../support/fake-messengers/fake-telegram.js';
import { trading } from '../../../support/trading.js';

const LOOPBACK = { allowHttp: true, addresses: new AddressRule(['127.0.0.0/8'], [EVERY_PORT]) };
const LIMITS = { overallMs: 1500 };

/** An account, a person who is told of it by real messengers that talk to stand-ins, and a clock of its own. */
export class PeopleFixture {
  readonly clock = clockAt(NOON);
  readonly ledger = new MemoryLedger();
  readonly trader = trading(this.ledger, { context: anOrderContext({ clock: this.clock }) });
  readonly #key = randomBytes(32);
  readonly #http = new GuardedHttp(LOOPBACK, LIMITS);
  readonly #sender = new StandardWebhookSender({
    box: new AesSecretBox(this.#key),
    present: () => ({}),
    allowHttp: true,
    networks: ['127.0.0.0/8'],
    ports: [EVERY_PORT],
  });
  readonly use: WebhookUseCases;

  private constructor(
    readonly telegram: FakeTelegram,
    readonly ntfy: FakeNtfy,
  ) {
    this.use = this.program();
  }

  static async open(): Promise<PeopleFixture> {
    return new PeopleFixture(await FakeTelegram.start(), await FakeNtfy.start());
  }

  async close(): Promise<void> {
    await Promise.all([this.#http.close(), this.#sender.close()]);
    await Promise.all([this.telegram.close(), this.ntfy.close()]);
  }

  /** One more program on the same records. */
  program(key = this.#key): WebhookUseCases {
    const telegram = new TelegramMessenger(new URL(this.telegram.url), this.#http);
    const messengers = { telegram, ntfy: new NtfyMessenger(this.#http) };
    const messages = { messengers, localTime, zone: 'UTC' };
    const parts = { box: new AesSecretBox(key), sender: this.#sender, messages };
    return webhookUseCases(this.trader.ports, this.trader.use.accounts, parts);
  }

  /** Somebody with a chat, who is told at once unless the terms say otherwise. */
  async chat(terms: Partial<MessageTerms> = {}, token = BOT_TOKEN, chatId = CHAT): Promise<Endpoint> {
    const own = { ...DEFAULT_TERMS, gatherMs: 0, ...terms };
    const target = { kind: 'telegram', chatId, threadId: null, terms: own } as const;
    return (await this.use.subscribe?.execute({ ...this.#common([]), target, token }))?.webhook as Endpoint;
  }

  /** Somebody with a chat who took the test message. */
  async reader(terms: Partial<MessageTerms> = {}): Promise<Endpoint> {
    const chat = await this.chat(terms);
    const { answer } = await this.use.ping.execute(chat);
    if (answer.kind !== 'taken') throw new Error(`The test message was not taken: ${JSON.stringify(answer)}`);
    return chat;
  }

  /** Somebody who follows a topic. */
  async topic(types: readonly EventType[] = []): Promise<Endpoint> {
    const terms = { ...DEFAULT_TERMS, gatherMs: 0 };
    const target = { kind: 'ntfy', url: this.ntfy.url, topic: TOPIC, terms } as const;
    return (await this.use.subscribe?.execute({ ...this.#common(types), target, token: NTFY_TOKEN }))
      ?.webhook as Endpoint;
  }

  #common = (types: readonly EventType[]) => ({
    account: ALICE,
    by: 'a key',
    types,
    description: '',
    idempotencyKey: null,
  });

  /** Rounds every second for so long, as the server does them for what is active. */
  async passes(seconds: number, use = this.use): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      for (const one of await this.ledger.endpoints.listActive({ limit: 10 }))
        await use.deliver.execute(one, () => true);
      this.clock.tick(1000);
    }
  }

  /** Orders that fill at once, one for each market. */
  async bets(...markets: readonly string[]): Promise<void> {
    for (const market of markets)
      await this.trader.place({ marketId: market as MarketId, price: price('0.5'), size: usdc('10') });
  }

  async halts(reason = 'enough'): Promise<void> {
    const may = new Set(AUTH_SCOPES);
    const change = { scope: 'account', state: 'halted', stops: 'all', by: 'me', until: null, reason } as const;
    await this.trader.use.trading.set.execute({ account: ALICE, change, may, cancel: false, idempotencyKey: null });
  }

  /** What the chat was told, test messages aside. */
  get told(): readonly string[] {
    return this.telegram.texts.map(({ text }) => text).filter((text) => !text.startsWith('This is a test'));
  }

  async now({ account, id }: Endpoint): Promise<Endpoint | undefined> {
    return this.ledger.endpoints.find(account, id);
  }

  async types(): Promise<readonly string[]> {
    return (await logOf(this.ledger)).map(({ type }) => type);
  }
}

/** What a person reads of an order of the stage. */
export const filledLine = (market: string): string => `BUY 20 ${market} YES at 0.5 filled: 10.00 USDC, paper`;

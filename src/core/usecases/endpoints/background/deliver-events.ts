import { FairQueue } from '../../../concurrency/fair-places.js';
import { type Endpoint, isWebhook } from '../../../endpoint/endpoint.js';
import { isPersonal, type Person, personOf } from '../../../endpoint/person.js';
import type { AccountId } from '../../../ids.js';
import type { DeliverWebhooks, Turn } from './deliver-webhooks.js';

/** How many requests are under way at once to programs, */
const AT_ONCE_TO_PROGRAMS = 32;
/** and to people, who wait for no program. */
const AT_ONCE_TO_PEOPLE = 16;
/** How many rounds read or write the store at once. */
const AT_ONCE_AT_THE_STORE = 16;

/** Sends messages to people, for `DeliverEvents`. */
export interface PersonMessages {
  execute(person: Person, turn: Turn): Promise<Date | null>;
}

/**
 * Sends what happened to where an account wants it: as it is to programs, in words to people. Rounds of any number of endpoints
 * may run at once: they share the places, which accounts get round-robin for one answer each.
 */
export class DeliverEvents {
  readonly #store = new FairQueue(AT_ONCE_AT_THE_STORE);
  readonly #toPrograms = new FairQueue(AT_ONCE_TO_PROGRAMS);
  readonly #toPeople = new FairQueue(AT_ONCE_TO_PEOPLE);

  /** @param people null where this program sends no messages */
  constructor(
    private readonly programs: Pick<DeliverWebhooks, 'execute'>,
    private readonly people: PersonMessages | null,
  ) {}

  /**
   * Sends what is due, and some of what is new. Never two at once for one endpoint. `mayGoOn` is asked before each request, once
   * there is a place for it. Resolves with when there is more to do, which is null where only something new needs another round,
   * and with how many events wait after they failed. @throws StorageUnavailable
   */
  async execute(endpoint: Endpoint, mayGoOn: () => boolean): Promise<[Date | null, number]> {
    const { account } = endpoint;
    if (isWebhook(endpoint))
      return this.#round(account, this.#toPrograms, mayGoOn, (turn) => this.programs.execute(endpoint, turn));
    const { people } = this;
    if (people === null || !isPersonal(endpoint)) return [null, 0];
    const send = async (turn: Turn): Promise<[Date | null, number]> => [
      await people.execute(personOf(endpoint), turn),
      0,
    ];
    return this.#round(account, this.#toPeople, mayGoOn, send);
  }

  async #round<T>(
    account: AccountId,
    places: FairQueue,
    mayGoOn: () => boolean,
    work: (turn: Turn) => Promise<T>,
  ): Promise<T> {
    let leaveStore = await this.#store.take(account);
    try {
      return await work({
        send: async (send, isUrgent = false) => {
          leaveStore();
          const end = await places.take(account, isUrgent);
          const sent = mayGoOn() ? send() : null;
          return (sent ?? Promise.resolve(null)).finally(async () => {
            end();
            leaveStore = await this.#store.take(account);
          });
        },
      });
    } finally {
      leaveStore();
    }
  }
}

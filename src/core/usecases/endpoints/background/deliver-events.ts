import { type Endpoint, isWebhook } from '../../../endpoint/endpoint.js';
import { isPersonal, type Person, personOf } from '../../../endpoint/person.js';
import type { DeliverWebhooks } from './deliver-webhooks.js';

/** Tells people, as `DeliverEvents` sends. */
export interface Telling {
  execute(person: Person, mayGoOn: () => boolean): Promise<Date | null>;
}

/** Sends what happened to where an account wants it: as it is to programs, in words to people. */
export class DeliverEvents {
  /** @param people null where this program sends no messages */
  constructor(
    private readonly programs: Pick<DeliverWebhooks, 'execute'>,
    private readonly people: Telling | null,
  ) {}

  /**
   * Sends what is due, and some of what is new. Never two at once for one endpoint. Resolves with when there is more to do, which
   * is null where only something new needs another round, and with how many events wait after they failed. @throws StorageUnavailable
   */
  async execute(endpoint: Endpoint, mayGoOn: () => boolean): Promise<[Date | null, number]> {
    if (isWebhook(endpoint)) return this.programs.execute(endpoint, mayGoOn);
    if (this.people === null || !isPersonal(endpoint)) return [null, 0];
    return [await this.people.execute(personOf(endpoint), mayGoOn), 0];
  }
}

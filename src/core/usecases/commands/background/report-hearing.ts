import type { Ledger } from '../../../../ports/ledger.js';
import type { Clock } from '../../../../ports/system.js';
import { alarmed, alarmsOf, unalarmed } from '../../../account/account-alarms.js';
import { alarmIn } from '../../../alarm/alarm.js';
import { COMMANDS_UNHEARD, isListenedTo } from '../../../endpoint/change-endpoint.js';
import { placeOf } from '../../../endpoint/destination.js';
import type { CommandChannel } from '../../../endpoint/person.js';
import { shortId } from '../../../ids.js';

/** Raises an alarm for each chat whose commands another program takes, and clears it once they are heard: each once, whichever server listens. */
export class ReportHearing {
  constructor(
    private readonly ledger: Pick<Ledger, 'read' | 'write'>,
    private readonly wallClock: Clock,
  ) {}

  /** Of chats of one bot. @throws StorageUnavailable */
  async execute(channels: readonly CommandChannel[], isHeard: boolean): Promise<void> {
    for (const channel of channels) await this.#report(channel, isHeard);
  }

  async #report({ account, id, target }: CommandChannel, isHeard: boolean): Promise<void> {
    const key = { kind: COMMANDS_UNHEARD, subject: id } as const;
    const isRaised = await this.ledger.read({ account }, (now) => alarmIn(alarmsOf(now.account), key) !== undefined);
    if (isRaised === !isHeard) return;
    const alarm = {
      ...key,
      detail: `Another program takes what people send to the bot of webhook ${shortId(id)} to ${placeOf(target)}, so no command is heard here.`,
      since: this.wallClock.now(),
      until: null,
    };
    await this.ledger.write({ account, endpoints: true }, (now) => {
      // It may have been removed meanwhile, and its alarm with it.
      const endpoint = now.endpoint(id);
      const isUnheard = !isHeard && endpoint !== undefined && isListenedTo(endpoint);
      const next = isUnheard ? alarmed(now.account, alarm) : unalarmed(now.account, key);
      return { result: undefined, ...(next !== now.account && { accounts: [next] }) };
    });
  }
}

import type { MessageProgress, PersonKey } from '../core/endpoint/person.js';
import type { TelegramTarget } from '../core/endpoint/person-target.js';

/** Keeps how far people have been told, and what became of their endpoints. */
export interface MessageStore {
  /** Undefined before the first message. @throws StorageUnavailable */
  progress(person: PersonKey): Promise<MessageProgress | undefined>;
  /** @throws StorageUnavailable */
  store(person: PersonKey, progress: MessageProgress): Promise<void>;
  /** A message whose first event is `seq` can never be delivered. @throws StorageUnavailable */
  giveUp(person: PersonKey, seq: number, because: string, at: Date): Promise<void>;
  /** Nothing more is sent, for a reason that is a sentence. @throws StorageUnavailable */
  disable(person: PersonKey, because: string, at: Date): Promise<void>;
  /** The chat has a new name. @throws StorageUnavailable */
  move(person: PersonKey, target: TelegramTarget, at: Date): Promise<void>;
}

import type { Button } from './messenger.js';

/** What a person did in a chat of a bot. */
export type ChatUpdate = ChatCommand | ChatPress;

/** A message that begins with a slash and a word. */
export interface ChatCommand {
  readonly kind: 'command';
  readonly chatId: string;
  /** The topic of the group; null for none. */
  readonly threadId: number | null;
  readonly userId: number;
  /** The word, in small letters. */
  readonly name: string;
  readonly at: Date;
}

/** A press on a button. */
export interface ChatPress {
  readonly kind: 'press';
  /** Empty where the messenger names no chat. */
  readonly chatId: string;
  readonly userId: number;
  /** Names the press, to answer it. */
  readonly id: string;
  /** The message below which the button is. */
  readonly messageId: number;
  /** The text of the button, of at most 64 bytes. */
  readonly data: string;
  /** The other rows of buttons of the message. */
  readonly others: readonly (readonly Button[])[];
}

/** What came of waiting for updates. Reasons are sentences without a stop that hold no secret. */
export type PolledUpdates =
  /** `next` names the one after the last; null where nothing came. */
  | { readonly kind: 'updates'; readonly updates: readonly ChatUpdate[]; readonly next: number | null }
  | { readonly kind: 'failed'; readonly because: string; readonly afterMs: number | null }
  /** The messenger hands the updates to another program. */
  | { readonly kind: 'elsewhere'; readonly because: string };

/** Reads what people do in the chats of a bot, whose token is always named, and answers. No method throws. */
export interface ChatBot {
  /** Waits up to 25 seconds for updates from `from` on; those before it are never sent again. Null: from the oldest one. */
  updates(token: string, from: number | null): Promise<PolledUpdates>;
  /** Shows these commands to people, each with a few words. */
  introduce(token: string, commands: Readonly<Record<string, string>>): Promise<void>;
  /** False too where that is not known. */
  isMember(token: string, chatId: string, userId: number): Promise<boolean>;
  /** Tells whoever pressed what came of it, in at most 200 characters. */
  answerPress(token: string, pressId: string, text: string): Promise<void>;
  /** Takes the row of buttons away that was pressed. */
  removeButtons(token: string, press: ChatPress): Promise<void>;
}

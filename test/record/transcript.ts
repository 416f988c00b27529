import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/build.js';

const FOLDER = join(ROOT, 'test/record/transcripts');
/** `TRANSCRIPTS=write npx vitest run --config vitest.crash.config.ts test/record` stores what is said now. Read the difference before it is committed. */
const WRITES = process.env['TRANSCRIPTS'] === 'write';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The id of a server: its machine, its process, and eight random digits. */
const SERVER_ID = /[\w.-]+:\d+:[0-9a-f]{8}/g;
/** A cursor that is an id. */
const CURSOR = /\bMD[A-Za-z0-9]{46}\b/g;
/** What lets somebody in, and what messages are signed with. */
const SECRETS = /(__Host-stakeport=|whsec_)[\w+/=-]+/g;
/** When a webhook is tried again, which is spread by chance. */
const BY_CHANCE = /"next_at": "[^"]+"/g;
/** The id of a key. */
const KEY_ID = /\b[0-9a-f]{20}\b/g;
/** What may be the end of an id, by which people name it. */
const END = /\b[0-9a-f]{8}\b/g;
const END_LENGTH = 8;
const DIGEST = /\b[0-9a-f]{64}\b/g;

/**
 * What a program was asked and what it said, as text that two runs write alike: ids are numbered in the order in which they appear. What
 * else differs, such as a port, is told to it.
 */
export class Transcript {
  readonly #lines: string[] = [];
  readonly #names = new Map<string, string>();
  readonly #ends = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(readonly name: string) {}

  /** From now on this text is written as `<word>`. */
  hide(text: string, word: string): void {
    this.#names.set(text, `<${word}>`);
  }

  step(title: string): void {
    this.add(`\n## ${title}\n`);
  }

  say(text: string): void {
    this.add(this.#plain(text));
  }

  /** Adds text as it is compared. */
  protected add(text: string): void {
    this.#lines.push(text);
  }

  get text(): string {
    return `${this.#lines.join('\n').trim()}\n`;
  }

  /** What was said when it was recorded. */
  recorded(): string {
    const path = join(FOLDER, `${this.name}.txt`);
    if (WRITES) writeFileSync(path, this.text);
    return readFileSync(path, 'utf8');
  }

  #plain(text: string): string {
    let plain = text;
    for (const [hidden, word] of this.#names) plain = plain.replaceAll(hidden, word);
    plain = plain
      .replace(SECRETS, '$1<secret>')
      .replace(BY_CHANCE, '"next_at": "<by chance>"')
      .replace(SERVER_ID, '<server>')
      .replace(CURSOR, (text) => Buffer.from(text, 'base64url').toString());
    return plain
      .replace(UUID, (id) => this.#numbered('id', id))
      .replace(KEY_ID, (key) => this.#numbered('key id', key))
      .replace(DIGEST, (digest) => this.#numbered('hash', digest))
      .replace(END, (end) => this.#ends.get(end) ?? end);
  }

  #numbered(kind: string, text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const word = `<${kind} ${count}>`;
    this.#names.set(text, word);
    this.#ends.set(text.slice(-END_LENGTH), `<end of ${kind} ${count}>`);
    return word;
  }
}

/** JSON as one member a line where that is short enough to read, members in the order in which they were sent. */
export function shown(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`)
    .replace(/\{\s+([^[\]{}]*?)\s+\}/g, (all, inner: string) => {
      const line = `{ ${inner.replace(/\s*\n\s*/g, ' ')} }`;
      return line.length <= 140 ? line : all;
    });
}

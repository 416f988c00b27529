import { describe, expect, it } from 'vitest';
import { saidText } from '../../../src/adapters/transport/said-text.js';

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

const each = (text: string, encode: (letter: string) => string) => [...text].map(encode).join('');
const hex = (letter: string, digits: number) => letter.charCodeAt(0).toString(16).padStart(digits, '0');
const percent = (letter: string) => `%${hex(letter, 2)}`;

describe('What a host said', () => {
  it.each([
    ['as it is', TOKEN],
    ['percent-encoded where an address needs it', encodeURIComponent(TOKEN)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(TOKEN))],
    ['percent-encoded letter by letter', each(TOKEN, percent)],
    ['as references of HTML', each(TOKEN, (letter) => `&#${letter.charCodeAt(0)};`)],
    ['as hexadecimal references of HTML', each(TOKEN, (letter) => `&#x${hex(letter, 2)};`)],
    ['as it is, and percent-encoded twice', `${TOKEN} ${each(each(TOKEN, percent), percent)}`],
    [
      'percent-encoded once and three times',
      `${each(TOKEN, percent)} ${each(each(each(TOKEN, percent), percent), percent)}`,
    ],
    ['as escapes of JSON', each(TOKEN, (letter) => `\\u${hex(letter, 4)}`)],
    ['in its first half', TOKEN.slice(0, 20)],
    ['in its second half', TOKEN.slice(20)],
  ])('is shown without a token that it repeats %s', (_, repeated) => {
    const shown = saidText(`no such bot: /bot${repeated}/sendMessage`, TOKEN);
    expect(shown).toMatch(/^no such bot: \/bot.*\/sendMessage$/);
    for (let at = 0; at + 6 <= TOKEN.length; at += 1) expect(shown).not.toContain(TOKEN.slice(at, at + 6));
    expect(shown).not.toMatch(/%[0-9a-f]{2}%[0-9a-f]{2}|&#|\\u/i);
  });

  it('keeps its other words, encoded or not', () => {
    expect(saidText('chat %2F not found', TOKEN)).toBe('chat %2F not found');
    expect(saidText('chat not found', null)).toBe('chat not found');
    expect(saidText('wrong: tk_1', 'tk_1')).toBe('wrong: …');
  });
});

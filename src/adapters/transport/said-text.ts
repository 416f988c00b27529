const LONGEST = 200;

/** From this many letters on, a part of a secret is hidden: a shorter one does not help an attacker to guess the rest. */
const SHORTEST_PART = 6;
/** How often a text may have been encoded on its way. */
const MOST_ENCODINGS = 3;

/**
 * The beginning of what a host said, on one line, without a secret that it may have repeated: whole or in part, as it is or as
 * addresses, pages and JSON encode it.
 */
export function saidText(text: string, secret: string | null): string {
  return withoutSecret(text, secret ?? '')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed();
}

/** Checks every level, because a text may have the secret in several encodings, and returns the last one that had any of it, masked. */
function withoutSecret(text: string, secret: string): string {
  let bare = withoutParts(text, secret);
  let decoded = text;
  for (let times = 0; times < MOST_ENCODINGS; times += 1) {
    decoded = decodedOnce(decoded);
    const shown = withoutParts(decoded, secret);
    if (shown !== decoded) bare = shown;
  }
  return bare;
}

/** A text in which each run of letters that stands in the secret is one `…`. */
function withoutParts(text: string, secret: string): string {
  const length = Math.min(SHORTEST_PART, secret.length);
  if (length === 0) return text;
  let shown = '';
  for (let at = 0; at < text.length; ) {
    let end = at + length;
    if (!secret.includes(text.slice(at, end)) || end > text.length) shown += text[at++];
    else {
      while (end < text.length && secret.includes(text.slice(end - length + 1, end + 1))) end += 1;
      shown += '…';
      at = end;
    }
  }
  return shown;
}

const ENCODED = /%([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|\\u([0-9a-f]{4})/gi;

/** A text whose letters in percent-encoding, as references of HTML and as escapes of JSON are themselves. */
const decodedOnce = (text: string): string =>
  text.replace(ENCODED, (_, byte?: string, hex?: string, decimal?: string, unit?: string) => {
    const code = decimal === undefined ? Number.parseInt(byte ?? hex ?? unit ?? '', 16) : Number(decimal);
    return code <= 0xffff ? String.fromCharCode(code) : ' ';
  });

/** The object in a text of JSON; null where it is none, such as a page for people. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/**
 * A text of the venue for records and people: printable, without anything that looks like a secret, at most 200 characters.
 */
export function cleaned(words: string): string {
  const printable = words.slice(0, 4 * LONGEST).replaceAll(/[^\x20-\x7e]+/g, ' ');
  return printable
    .replaceAll(/[A-Za-z0-9+/_=-]{43,}/g, '…')
    .trim()
    .slice(0, LONGEST);
}

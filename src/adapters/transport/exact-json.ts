const QUOTE = '"';
const BACKSLASH = '\\';
const IN_NUMBER = /[-+.0-9eE]/;

/**
 * Reads JSON whose numbers become texts with the exact digits that were sent, so that none is lost in a double.
 * @throws SyntaxError for what is not JSON
 */
export function exactJson(text: string): unknown {
  JSON.parse(text);
  let quoted = '';
  let taken = 0;
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    const end = character === QUOTE ? endOfText(text, at) : endOfNumber(text, at);
    if (character !== QUOTE && end > at) {
      quoted += `${text.slice(taken, at)}"${text.slice(at, end)}"`;
      taken = end;
    }
    at = Math.max(end, at + 1);
  }
  return JSON.parse(quoted + text.slice(taken));
}

function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (text.charAt(at) !== QUOTE) at += text.charAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Returns the place itself when no number begins there; the letters of `true`, `false` and `null` begin none. */
function endOfNumber(text: string, start: number): number {
  const first = text.charAt(start);
  if (first !== '-' && (first < '0' || first > '9')) return start;
  let at = start + 1;
  while (at < text.length && IN_NUMBER.test(text.charAt(at))) at++;
  return at;
}

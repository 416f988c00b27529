const LONGEST = 200;

/** The beginning of what a host said, on one line, without a secret that it may have repeated. */
export function saidText(text: string, secret: string | null): string {
  const bare = secret === null || secret === '' ? text : text.replaceAll(secret, '…');
  return bare
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
    .toWellFormed();
}

/** The object in a text of JSON; null where it is none, such as a page for people. */
export function jsonObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

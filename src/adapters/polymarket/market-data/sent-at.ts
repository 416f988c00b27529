/** True when both times are known and the first was sent before the second. */
export function isOlder(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a < b;
}

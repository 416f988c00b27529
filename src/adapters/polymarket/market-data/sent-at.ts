/** True when the first was sent before the second, as far as both are told. */
export function isOlder(a: number | null, b: number | null): boolean {
  return a !== null && b !== null && a < b;
}

/** True of a time zone by its name in the IANA database, such as `Europe/Berlin`. */
export function isZone(name: string): boolean {
  // The usual one: asking for it would load the tables of all zones, which takes longer than the rest of the settings.
  if (name === 'UTC') return true;
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

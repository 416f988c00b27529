const formats = new Map<string, Intl.DateTimeFormat>();

/** The date of a moment in a time zone, such as `2026-11-23`. */
export function dateIn(zone: string, at: string): string {
  const known = formats.get(zone);
  const format = known ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  if (known === undefined) formats.set(zone, format);
  return format.format(new Date(at));
}

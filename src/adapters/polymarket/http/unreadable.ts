const ORDER_ID = /0x[0-9a-f]{64}/g;

/** The ids, in lower case, of the orders named in a row that cannot be read otherwise; empty when it names none. */
export function namedInRow(row: unknown): readonly string[] {
  return [...new Set(JSON.stringify(row).toLowerCase().match(ORDER_ID) ?? [])];
}

/** True when one of these rows may be about the order: it names it, or no order at all. */
export function mayName(rows: readonly unknown[], venueOrderId: string): boolean {
  return rows.some((row) => {
    const named = namedInRow(row);
    return named.length === 0 || named.includes(venueOrderId.toLowerCase());
  });
}

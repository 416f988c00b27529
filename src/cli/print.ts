import { formatMicro } from '../core/money.js';

/** A line, or lines, on standard output. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One JSON document on standard output, as the API writes it: snake_case, decimal strings, moments in UTC. */
export function printJson(document: unknown): void {
  print(JSON.stringify(wired(document)));
}

function wired(value: unknown): unknown {
  if (typeof value === 'bigint') return formatMicro(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(wired);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [snake(name), wired(member)]));
}

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

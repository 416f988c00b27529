import type * as v from 'valibot';

/** One environment variable: what it means, what it is when unset, and how its text becomes a value. */
export interface Setting<Schema extends v.GenericSchema<string, unknown>> {
  readonly description: string;
  /** What is read when the variable is unset or blank; null is nothing. */
  readonly default: string | null;
  /** May hold a secret: its value is never printed. */
  readonly secret: boolean;
  /** Its messages follow the variable's name, and quote no value. */
  readonly schema: Schema;
}

/** A variable whose value anybody may see. */
export function setting<Schema extends v.GenericSchema<string, unknown>>(
  schema: Schema,
  fallback: string | null,
  description: string,
): Setting<Schema> {
  return { schema, default: fallback, description, secret: false };
}

/** A variable whose value is never printed. */
export function sensitive<Schema extends v.GenericSchema<string, unknown>>(
  schema: Schema,
  fallback: string | null,
  description: string,
): Setting<Schema> {
  return { ...setting(schema, fallback, description), secret: true };
}

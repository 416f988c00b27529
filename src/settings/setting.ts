import * as v from 'valibot';
import type { Setting } from '../ports/setting.js';

/** A variable whose value is public. The messages of the schema follow the variable's name, and quote no value. */
export function setting<Value>(
  schema: v.GenericSchema<string, Value>,
  fallback: string | null,
  description: string,
): Setting<Value> {
  return { read: (text) => readBy(schema, text), default: fallback, description, secret: false };
}

/** A variable whose value is never printed. */
export function sensitive<Value>(
  schema: v.GenericSchema<string, Value>,
  fallback: string | null,
  description: string,
): Setting<Value> {
  return { ...setting(schema, fallback, description), secret: true };
}

function readBy<Value>(schema: v.GenericSchema<string, Value>, text: string): ReturnType<Setting<Value>['read']> {
  const { success, output, issues } = v.safeParse(schema, text);
  return success ? { value: output } : { problem: issues[0].message };
}

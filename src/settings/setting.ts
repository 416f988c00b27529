import * as v from 'valibot';
import type { Setting } from '../ports/setting.js';

/** The values that a variable takes: in words, and how its text becomes one. */
export interface SettingKind<Value> {
  /** What it must be, with its bounds and an example. */
  readonly takes: string;
  readonly schema: v.GenericSchema<string, Value>;
}

/** Values in words, and the schema that is made with the message for others. */
export const settingKind = <Value>(
  takes: string,
  schema: (must: string) => v.GenericSchema<string, Value>,
): SettingKind<Value> => ({ takes, schema: schema(`must be ${takes}`) });

/** A variable whose value is public. The messages of the schema follow the variable's name, and quote no value. */
export function setting<Value>(
  { takes, schema }: SettingKind<Value>,
  fallback: string | null,
  description: string,
): Setting<Value> {
  return { read: (text) => readBy(schema, text), default: fallback, takes, description, secret: false };
}

/** A variable whose value is never printed. */
export function sensitive<Value>(
  kind: SettingKind<Value>,
  fallback: string | null,
  description: string,
): Setting<Value> {
  return { ...setting(kind, fallback, description), secret: true };
}

function readBy<Value>(schema: v.GenericSchema<string, Value>, text: string): ReturnType<Setting<Value>['read']> {
  const { success, output, issues } = v.safeParse(schema, text);
  return success ? { value: output } : { problem: issues[0].message };
}

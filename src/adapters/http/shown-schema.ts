import { type ConversionConfig, type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { descriptionOf } from './schema.js';

/** Conditions that JSON Schema cannot express; a schema that has others, and is not described, throws. */
const UNSHOWN = ['check', 'raw_check'];

const overrideSchema: NonNullable<ConversionConfig['overrideSchema']> = ({ valibotSchema }) =>
  descriptionOf(valibotSchema);

/** A pattern in a description takes precedence. */
const overrideAction: NonNullable<ConversionConfig['overrideAction']> = ({ valibotAction, jsonSchema }) =>
  valibotAction.type === 'regex' ? jsonSchema : undefined;

/** Query parameters, bodies and answers as JSON Schema. */
export function schemaOf(schema: GenericSchema, typeMode: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...bare } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    typeMode,
    errorMode: 'throw',
    ignoreActions: UNSHOWN,
    overrideSchema,
    overrideAction,
  });
  return bare;
}

import type { AuthScope } from '../../src/core/access/principal.js';

/** A JSON object with unknown members. */
export type Json = Readonly<Record<string, unknown>>;

/** A parameter of an operation, as the document shows it. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
}

/** One operation of an OpenAPI document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly description?: string;
  readonly scopes: readonly AuthScope[];
  readonly parameters: readonly Parameter[];
  /** The schema of its JSON body, if it takes one. */
  readonly body: Json | undefined;
  /** Answers by status: their media types and schemas. */
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Json }>> }>
  >;
}

interface ShownOperation extends Omit<Operation, 'method' | 'path' | 'scopes' | 'body'> {
  readonly 'x-scopes': readonly AuthScope[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> };
}

/** Every operation of a document. */
export function operationsOf(document: Json): Operation[] {
  const paths = document['paths'] as Record<string, Record<string, ShownOperation>>;
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { 'x-scopes': scopes, requestBody, ...shown }]) => ({
      ...shown,
      method: method.toUpperCase(),
      path,
      scopes,
      body: requestBody?.content['application/json']?.schema,
    })),
  );
}

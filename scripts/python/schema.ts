/** A JSON schema, as far as the document uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly const?: string | number;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly format?: string;
  readonly pattern?: string;
  readonly description?: string;
  readonly default?: unknown;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** An operation of the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}

/** An OpenAPI document, as this service makes it. */
export interface Document {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const WORDS = new Set(['description', 'examples', 'title', 'default']);

/** What two schemas have in common that describe the same values, whatever they say of them. */
export function shapeOf(schema: Schema): string {
  return JSON.stringify(schema, function (this: unknown, key: string, value: unknown) {
    // A member of an object may be called `title`; a keyword is beside `type` or the like.
    const isKeyword = typeof value !== 'object' || Array.isArray(value);
    return WORDS.has(key) && isKeyword ? undefined : value;
  });
}

const PREFIX = '#/components/schemas/';

/** The component that a schema names, if it does. */
export const componentOf = ({ $ref }: Schema): string | undefined => $ref?.slice(PREFIX.length);

/** What it may be besides null, and whether it may be null. */
export function armsOf(schema: Schema): { readonly arms: readonly Schema[]; readonly isNullable: boolean } {
  const all = flat(schema);
  const arms = all.filter(({ type }) => type !== 'null');
  return { arms, isNullable: arms.length < all.length };
}

function flat(schema: Schema): readonly Schema[] {
  const parts = schema.anyOf ?? schema.oneOf;
  return parts === undefined ? [schema] : parts.flatMap(flat);
}

/** What the document says of it: the words may stand beside the null. */
export function wordsOf(schema: Schema): string {
  const parts = schema.anyOf ?? schema.oneOf ?? [];
  return schema.description ?? parts.map(wordsOf).find((words) => words !== '') ?? '';
}

/** True of an amount as a client may send it: a number, or a decimal in a text. */
export const isAmount = (arms: readonly Schema[]): boolean =>
  arms.length === 2 && arms[0]?.type === 'number' && arms[1]?.type === 'string';

import { beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.js';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly examples?: readonly unknown[];
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly parameters: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[];
}

/** Members of the frame that a list comes in, and of a problem, which RFC 9457 explains; and objects made of members. */
const EXPLAINED = /^Problem\.|\.(data|next_cursor|rules|match|filter|sizing)$/;

/** Every member of a schema, by its path. */
function membersOf(schema: Schema, path: string): [path: string, member: Schema][] {
  const { properties = {}, anyOf = [], items } = schema;
  const inner = [...anyOf, ...(items === undefined ? [] : [items])].flatMap((part) => membersOf(part, path));
  const own = Object.entries(properties).flatMap(([name, member]): [string, Schema][] => [
    [`${path}.${name}`, member],
    ...membersOf(member, `${path}.${name}`),
  ]);
  return [...own, ...inner];
}

const isExplained = ({ description, anyOf = [] }: Schema): boolean =>
  description !== undefined || anyOf.some((part) => part.description !== undefined);

describe('The reference', () => {
  const members: [string, Schema][] = [];

  beforeAll(async () => {
    const { client } = await startApp();
    const document = (await client.get('/openapi.json')).json<{
      components: { schemas: Record<string, Schema> };
      paths: Record<string, Record<string, Operation>>;
    }>();
    for (const [name, schema] of Object.entries(document.components.schemas)) members.push(...membersOf(schema, name));
    for (const [path, methods] of Object.entries(document.paths)) {
      if (path.startsWith('/v1/admin')) continue;
      for (const [method, { requestBody, parameters }] of Object.entries(methods)) {
        const body = requestBody?.content['application/json']?.schema;
        if (body !== undefined) members.push(...membersOf(body, `${method} ${path}`));
        const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.name !== 'limit');
        members.push(...query.map(({ name, schema }): [string, Schema] => [`${method} ${path}?${name}`, schema]));
      }
    }
  });

  test('describes every member of orders, markets, books, portfolios and strategies', () => {
    const trading = members.filter(([path]) => !/^(PaperReset|Key|CreatedKey)\b/.test(path));
    expect(trading.length).toBeGreaterThan(150);
    const silent = trading.filter(([path, member]) => !EXPLAINED.test(path) && !isExplained(member));
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test('shows prices that can be prices', () => {
    const prices = members.filter(([path]) => /\b(average_|mark_)?price$/.test(path));
    const shown = prices.flatMap(([, { examples = [] }]) => examples).map(Number);
    expect(shown.length).toBeGreaterThan(4);
    expect(shown.filter((price) => price <= 0 || price >= 1)).toEqual([]);
  });
});

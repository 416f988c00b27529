import { componentOf, type Document, type Operation, type Parameter, type Schema, wordsOf } from './schema.js';
import { docstring, identifier, lowerWords, pascal, quoted, singular } from './text.js';
import type { Types } from './types.js';

/** The login of pages in a browser: a program sends its key with each request. */
const OF_BROWSERS = ['startSession', 'endSession'];
/** Methods that are not well named after their operation. */
const METHODS: Readonly<Record<string, string>> = {
  putSignals: 'put_many',
  approveBet: 'approve',
  rejectBet: 'reject',
  exportBets: 'bets',
  exportOrders: 'orders',
  exportJournal: 'journal',
  setTradingState: 'set',
  getTradingState: 'get',
  listTradingStates: 'list',
};
/** Groups whose name is that of a method of the client. */
const ATTRIBUTES: Readonly<Record<string, string>> = { events: 'event_log' };
/** Parameters of paths, by what they are. */
const IN_PATH: Readonly<Record<string, string>> = { sid: 'strategy_id', did: 'decision_id' };
const STREAM = 'text/event-stream';
const CSV = 'text/csv';

interface Found extends Operation {
  readonly method: string;
  readonly path: string;
}

/** A parameter of a method. */
interface Argument {
  readonly name: string;
  /** As the service calls it. */
  readonly wire: string;
  readonly type: string;
  readonly fallback: string | null;
  readonly words: string;
}

/** The groups of operations, as classes with a method for each. */
export function operationClasses(document: Document, types: Types): string[] {
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Found => ({ ...operation, method: method.toUpperCase(), path })),
  );
  const called = found.filter(({ operationId }) => !OF_BROWSERS.includes(operationId));
  const groups = document.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: called.filter(({ tags, responses }) => tags[0] === name && contentOf(responses).type !== STREAM),
    }))
    .filter(({ operations }) => operations.length > 0);
  // Answers first: what is sent has their names where it is the same.
  const isList = ({ operationId }: Found) => operationId.startsWith('list');
  for (const operation of called.filter((one) => !isList(one))) answerType(operation, types);
  const classes = groups.flatMap(({ name, description, operations }) => [
    `class ${pascal(name)}Group(Group):`,
    ...docstring([description], '    '),
    ...operations.flatMap((operation) => ['', ...methodOf(operation, types)]),
    '',
    '',
  ]);
  return [
    ...classes,
    'class Groups:',
    ...docstring(['The operations of the service, in its groups.'], '    '),
    '',
    '    def __init__(self, http: Http) -> None:',
    ...groups.map(({ name }) => `        self.${ATTRIBUTES[name] ?? name} = ${pascal(name)}Group(http)`),
  ];
}

function contentOf(responses: Operation['responses']): { readonly type: string; readonly schema: Schema } {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [[type, { schema }] = ['', { schema: {} }]] = Object.entries(answer?.content ?? {});
  return { type, schema };
}

function methodName({ operationId, tags: [tag = ''] }: Operation): string {
  const known = METHODS[operationId];
  if (known !== undefined) return known;
  const [verb = '', ...words] = lowerWords(operationId);
  return [verb, ...words.filter((word) => singular(word) !== singular(tag))].join('_');
}

function methodOf(operation: Found, types: Types): string[] {
  const { summary, description, parameters } = operation;
  const isPaged = parameters.some(({ name }) => name === 'cursor');
  const path = parameters.filter((one) => one.in === 'path').map((one) => pathArgument(one));
  const query = parameters
    .filter((one) => one.in === 'query' && one.name !== 'cursor')
    .map((one) => queryArgument(one, types, stemOf(operation), isPaged));
  const body = bodyArguments(operation, types);
  const headers = headerArguments(operation);
  const named = [...body.all, ...query, ...headers];
  const ordered = [
    ...named.filter(({ fallback }) => fallback === null),
    ...named.filter(({ fallback }) => fallback !== null),
  ];
  const answer = answerType(operation, types);
  const says = [...path, ...ordered].filter(({ words }) => words !== '').map(({ name, words }) => `${name}: ${words}`);
  return [
    ...signature(methodName(operation), path, body.isWhole ? 1 : 0, ordered, answer),
    ...docstring([`${summary}.`, description, says.join('\n')], '        '),
    ...call(operation, path, query, body),
  ];
}

function signature(
  name: string,
  path: readonly Argument[],
  positional: number,
  named: readonly Argument[],
  answer: string,
) {
  const shown = ({ name: argument, type, fallback }: Argument) =>
    `${argument}: ${type}${fallback === null ? '' : ` = ${fallback}`}`;
  const first = [...path, ...named.slice(0, positional)].map(shown);
  const rest = named.slice(positional).map(shown);
  const all = ['self', ...first, ...(rest.length === 0 ? [] : ['*', ...rest])];
  const line = `    def ${name}(${all.join(', ')}) -> ${answer}:`;
  return line.length <= 118
    ? [line]
    : [`    def ${name}(`, ...all.map((one) => `        ${one},`), `    ) -> ${answer}:`];
}

function pathArgument({ name }: Parameter): Argument {
  const own = IN_PATH[name] ?? name;
  return { name: identifier(own), wire: name, type: 'str', fallback: null, words: '' };
}

/** What the names of types of a group begin with. */
const stemOf = ({ tags: [tag = ''] }: Operation): string => pascal(singular(tag));

function queryArgument({ name, schema, required }: Parameter, types: Types, stem: string, isPaged: boolean): Argument {
  const type = types.sent(schema, `${stem}${pascal(name)}`);
  const isSize = isPaged && name === 'limit';
  return {
    name: identifier(isSize ? 'page_size' : name),
    wire: name,
    type: required ? type : `${type} | None`,
    fallback: required ? null : 'None',
    words: isSize ? 'How many are asked for at once; all come, page after page.' : wordsOf(schema),
  };
}

interface Body {
  readonly all: readonly Argument[];
  /** Whether it is one argument, since it has several forms. */
  readonly isWhole: boolean;
}

function bodyArguments(operation: Operation, types: Types): Body {
  const { operationId, requestBody } = operation;
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return { all: [], isWhole: false };
  if (schema.anyOf !== undefined || schema.oneOf !== undefined) {
    const type = types.sent(schema, pascal(operationId));
    return { all: [{ name: 'body', wire: '', type, fallback: null, words: '' }], isWhole: true };
  }
  const all = Object.entries(schema.properties ?? {}).map(([name, of]): Argument => {
    const isRequired = schema.required?.includes(name) ?? false;
    const type = types.sent(of, `${stemOf(operation)}${pascal(name)}`);
    const fallback = of.default === undefined || of.default === null ? '' : ` Default: ${JSON.stringify(of.default)}.`;
    return {
      name: identifier(name),
      wire: name,
      // What was read may be sent back.
      type: `${name === 'rules' ? `${type} | Rules` : type}${isRequired ? '' : ' | Unset'}`,
      fallback: isRequired ? null : 'UNSET',
      words: `${wordsOf(of)}${fallback}`,
    };
  });
  return { all, isWhole: false };
}

const KEY: Argument = {
  name: 'idempotency_key',
  wire: 'idempotency-key',
  type: 'str | None',
  fallback: 'None',
  words: 'One of yours; by default the call makes its own, and repeats the request with it.',
};
const IF_MATCH: Argument = {
  name: 'if_version',
  wire: 'if-match',
  type: 'int | None',
  fallback: 'None',
  words: 'The version that is to be changed: a 412 where there is a newer one.',
};

function headerArguments({ parameters }: Operation): Argument[] {
  return [KEY, IF_MATCH].filter(({ wire }) => parameters.some(({ name }) => name === wire));
}

function answerType({ responses, parameters }: Operation, types: Types): string {
  const { type, schema } = contentOf(responses);
  if (type === CSV) return 'str';
  const name = types.component(componentOf(schema) ?? '');
  return parameters.some((one) => one.name === 'cursor') ? `Pages[${itemOf(name, types)}, ${name}]` : name;
}

/** The type of the items of a page. */
function itemOf(page: string, types: Types): string {
  const line = types.declarations.get(page)?.find((one) => one.startsWith('    data: tuple['));
  const [, item] = /tuple\[(.+), \.\.\.\]/.exec(line ?? '') ?? [];
  if (item === undefined) throw new Error(`${page} is no page: it has no list in data`);
  return item;
}

function call(
  { path, method, responses, parameters }: Found,
  inPath: readonly Argument[],
  query: readonly Argument[],
  body: Body,
) {
  const { type, schema } = contentOf(responses);
  const shown = inPath.reduce((text, { name, wire }) => text.replace(`{${wire}}`, `{quote(${name})}`), path);
  const url = `${inPath.length === 0 ? '' : 'f'}${quoted(shown)}`;
  const more = [
    ...(query.length === 0 ? [] : [dict('query', query)]),
    ...(body.all.length === 0 ? [] : [body.isWhole ? 'body=body' : dict('body', body.all)]),
    ...headerArguments({ parameters } as Operation).map(({ name }) => `${name}=${name}`),
    // A request that takes a key is only done twice with two of them.
    ...(parameters.some(({ name }) => name === KEY.wire) ? ['is_keyed=True'] : []),
  ];
  const answer = componentOf(schema) ?? '';
  if (type === CSV) return invoked('_text', [url, ...more]);
  if (parameters.some(({ name }) => name === 'cursor')) return invoked('_pages', [answer, url, ...more]);
  return invoked('_call', [answer, quoted(method), url, ...more]);
}

function dict(name: string, all: readonly Argument[]): string {
  const members = all.map((one) => `${quoted(one.wire)}: ${one.name}`);
  const line = `${name}={${members.join(', ')}}`;
  return line.length <= 100
    ? line
    : [`${name}={`, ...members.map((one) => `                ${one},`), '            }'].join('\n');
}

function invoked(name: string, args: readonly string[]): string[] {
  const line = `        return self.${name}(${args.join(', ')})`;
  if (line.length <= 118 && !line.includes('\n')) return [line];
  return [`        return self.${name}(`, ...args.map((one) => `            ${one},`), '        )'];
}

import type { AppContext } from './app-context.js';

/** Answers a request; `parameter` is the decoded one of its path, empty where the path has none. */
export type Handler = (ctx: AppContext, parameter: string) => void | Promise<void>;

/** One path of the table, and its methods in the order in which they were added. */
interface Entry {
  readonly methods: Map<string, Handler>;
}

interface Pattern extends Entry {
  readonly start: string;
  readonly end: string;
}

/** The handler of a request, and the parameter of its path. */
interface Found extends Entry {
  readonly parameter: string;
}

const PARAMETER = /\{\w+\}/;

/** Handlers by method and path. A path is compared exactly, and without decoding; only its parameter is decoded. */
export class PathTable {
  readonly #exact = new Map<string, Entry>();
  readonly #patterns: Pattern[] = [];

  /**
   * `path` as in OpenAPI, with at most one parameter, which stands for a whole segment. GET also takes HEAD. Of two handlers
   * of one method and path the first stays.
   */
  add(method: string, path: string, handler: Handler): void {
    const { methods } = this.#entryOf(path);
    for (const name of method === 'GET' ? ['HEAD', 'GET'] : [method]) {
      if (!methods.has(name)) methods.set(name, handler);
    }
  }

  get(path: string, handler: Handler): void {
    this.add('GET', path, handler);
  }

  /** The methods that a path has, and its parameter; undefined for an unknown path. */
  find(path: string): Found | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return { methods: exact.methods, parameter: '' };
    for (const { start, end, methods } of this.#patterns) {
      const parameter = between(path, start, end);
      if (parameter !== '' && !parameter.includes('/')) return { methods, parameter: decoded(parameter) };
    }
    return undefined;
  }

  #entryOf(path: string): Entry {
    const [start = '', end, more] = path.split(PARAMETER);
    if (more !== undefined) throw new Error(`${path} has more than one parameter`);
    if (end === undefined) {
      const entry = this.#exact.get(path) ?? { methods: new Map() };
      this.#exact.set(path, entry);
      return entry;
    }
    const known = this.#patterns.find((pattern) => pattern.start === start && pattern.end === end);
    const pattern = known ?? { start, end, methods: new Map() };
    if (known === undefined) this.#patterns.push(pattern);
    return pattern;
  }
}

/** What lies between the two; empty where one is missing or nothing is left. */
function between(path: string, start: string, end: string): string {
  if (path.length <= start.length + end.length || !path.startsWith(start) || !path.endsWith(end)) return '';
  return path.slice(start.length, path.length - end.length);
}

/** What cannot be decoded stays as it is: no record has such a name. */
function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}

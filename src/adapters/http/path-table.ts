import type { AppContext } from './app-context.js';

/** Answers a request; `parameters` are the decoded ones of its path, in their order. */
export type Handler = (ctx: AppContext, parameters: readonly string[]) => void | Promise<void>;

/** One path of the table, and its methods in the order in which they were added. */
interface Entry {
  readonly methods: Map<string, Handler>;
}

interface Pattern extends Entry {
  /** What lies between the slashes of the path; null for a parameter. */
  readonly segments: readonly (string | null)[];
}

/** The handlers of a path, and its parameters. */
interface Found extends Entry {
  readonly parameters: readonly string[];
}

const PARAMETER = /^\{\w+\}$/;

/** Handlers by method and path. A path is compared exactly, and without decoding; only its parameters are decoded. */
export class PathTable {
  readonly #exact = new Map<string, Entry>();
  readonly #patterns: Pattern[] = [];

  /**
   * `path` as in OpenAPI; each parameter stands for a whole segment. GET also takes HEAD. Of two handlers of one method and
   * path the first stays, and so does the first of two paths that both match.
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

  /** The methods that a path has, and its parameters; undefined for an unknown path. */
  find(path: string): Found | undefined {
    const exact = this.#exact.get(path);
    if (exact !== undefined) return { methods: exact.methods, parameters: [] };
    const given = path.split('/');
    const pattern = this.#patterns.find(({ segments }) => fits(given, segments));
    if (pattern === undefined) return undefined;
    const parameters = given.filter((_, at) => pattern.segments[at] === null).map(decoded);
    return { methods: pattern.methods, parameters };
  }

  #entryOf(path: string): Entry {
    const segments = path.split('/').map((segment) => (PARAMETER.test(segment) ? null : segment));
    if (segments.some((segment) => segment?.includes('{')))
      throw new Error(`${path} has a parameter that is not a whole segment`);
    if (!segments.includes(null)) {
      const entry = this.#exact.get(path) ?? { methods: new Map() };
      this.#exact.set(path, entry);
      return entry;
    }
    const known = this.#patterns.find((pattern) => pattern.segments.join('/') === segments.join('/'));
    const pattern = known ?? { segments, methods: new Map() };
    if (known === undefined) this.#patterns.push(pattern);
    return pattern;
  }
}

function fits(given: readonly string[], segments: readonly (string | null)[]): boolean {
  if (given.length !== segments.length) return false;
  return segments.every((segment, at) => (segment === null ? given[at] !== '' : given[at] === segment));
}

/** What cannot be decoded stays as it is: no record has such a name. */
function decoded(parameter: string): string {
  try {
    return decodeURIComponent(parameter);
  } catch {
    return parameter;
  }
}

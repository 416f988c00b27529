/** A JSON number as it was written: its digits never pass through a double. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** A text that is not JSON, or an object that names a member twice. `at` is an offset in characters. */
export class JsonMalformed extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** A document nested deeper than allowed. */
export class JsonTooDeep extends Error {}

const MAX_DEPTH = 16;
/** How much of a member's name an error quotes. */
const SHOWN = 80;
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them unescaped inside a string (RFC 8259, 7)
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const LITERALS = new Map<string, [text: string, value: boolean | null]>([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
]);

/**
 * Parses JSON (RFC 8259) more strictly than `JSON.parse`: repeated members are refused, numbers keep their digits as
 * `JsonNumber`, objects have no prototype, and nesting is bounded. Every token is matched in one pass without backtracking.
 * @throws JsonMalformed, JsonTooDeep
 */
export function readJson(text: string): unknown {
  const reader = new JsonReader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class JsonReader {
  #at = 0;

  constructor(private readonly text: string) {}

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new JsonTooDeep(`must not be nested deeper than ${MAX_DEPTH}`);
    const first = this.#peek();
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return this.#string();
    const literal = LITERALS.get(first);
    if (literal === undefined) return new JsonNumber(this.#token(NUMBER, 'a value'));
    if (!this.text.startsWith(literal[0], this.#at)) throw this.#unexpected('a value');
    this.#at += literal[0].length;
    return literal[1];
  }

  end(): void {
    if (this.#peek() !== '') throw this.#unexpected('the end of the document');
  }

  #object(depth: number): object {
    const members: Record<string, unknown> = Object.create(null);
    this.#at++;
    if (this.#take('}')) return members;
    do {
      if (this.#peek() !== '"') throw this.#unexpected('a member name in double quotes');
      const start = this.#at;
      const name = this.#string();
      if (name in members)
        throw new JsonMalformed(`the member ${JSON.stringify(name.slice(0, SHOWN))} appears twice`, start);
      if (!this.#take(':')) throw this.#unexpected('a colon');
      members[name] = this.value(depth + 1);
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#unexpected('a comma or a closing brace');
    return members;
  }

  #array(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at++;
    if (this.#take(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.#take(','));
    if (!this.#take(']')) throw this.#unexpected('a comma or a closing bracket');
    return items;
  }

  #string(): string {
    const token = this.#token(STRING, 'a closed string without raw control characters or unknown escapes');
    return token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  }

  #token(pattern: RegExp, expected: string): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.text)?.[0];
    if (token === undefined) throw this.#unexpected(expected);
    this.#at += token.length;
    return token;
  }

  /** The next character that is not white space, without taking it; empty at the end. */
  #peek(): string {
    const code = this.text.charCodeAt(this.#at);
    if (code <= 32) {
      SPACE.lastIndex = this.#at;
      this.#at += SPACE.exec(this.text)?.[0].length ?? 0;
    }
    return this.text.charAt(this.#at);
  }

  #take(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at++;
    return true;
  }

  #unexpected(expected: string): JsonMalformed {
    return new JsonMalformed(`expected ${expected} at character ${this.#at}`, this.#at);
  }
}

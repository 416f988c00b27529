import type { Exchange } from '../../src/ports/exchange.js';

/** An exchange, and all that was ever read from it or called on it, such as `place` or `signing.envelope`. */
export interface Watched {
  readonly exchange: Exchange;
  readonly touched: readonly string[];
}

/** The exchange as it is, recording every access: even reading its name counts, but not whether it is in this process. */
export function watched(exchange: Exchange): Watched {
  const touched: string[] = [];
  return { exchange: noting(exchange, '', touched), touched };
}

function noting<T extends object>(target: T, path: string, touched: string[]): T {
  return new Proxy(target, {
    get(_, name) {
      const place = `${path}${String(name)}`;
      const value: unknown = Reflect.get(target, name, target);
      if (place !== 'local') touched.push(place);
      if (typeof value === 'function') return value.bind(target);
      return typeof value === 'object' && value !== null ? noting(value, `${place}.`, touched) : value;
    },
  });
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ConnectionObserver } from './connections.js';

/** The order that an answer shows, as the log names it. */
export interface AnsweredOrder {
  readonly id: string;
  readonly status: string;
  /** Why it is not what was wanted; null where nothing is wrong. */
  readonly code: string | null;
  readonly venueOrderId: string | null;
}

/** One answered request, as logs and metrics see it: nothing of its headers, query or body. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The route's template, such as `/v1/strategies/{sid}`; `unmatched` for anything else. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  readonly account: string | null;
  /** Where the answer is an order. */
  readonly order?: AnsweredOrder | undefined;
}

/** Observes what the HTTP adapter does. */
export interface Observer {
  answered(request: AnsweredRequest): void;
  /** The error behind an answer of 500 and above: the only place where its cause is reported. */
  failed(requestId: string, error: unknown): void;
}

/** Everything that is stated about a metric, wherever it is named. */
export interface MetricTerms {
  /** What `/metrics` says of it. */
  readonly help: string;
  readonly labels?: readonly string[];
  /** Upper bounds, where it is a distribution. */
  readonly buckets?: readonly number[];
  /** What docs/operating.md says of it. */
  readonly row: string;
}

/** The metrics of HTTP, in the order of docs/operating.md. */
export const HTTP_METRICS = {
  http_request_duration_seconds: {
    help: 'Time from the request being read to its answer being written.',
    labels: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    row: 'requests, from being read to being answered',
  },
  http_request_failures_total: {
    help: 'Requests that were answered with a 500.',
    row: 'requests that were answered with a 500, which is a bug',
  },
  http_connections_closed_at_limit_total: {
    help: 'Connections closed at the limit: an idle one for a new one, or the new one.',
    labels: ['connection'],
    row: 'connections closed because of too many: an `idle` one for a new one, or the `new` one',
  },
} as const satisfies Readonly<Record<string, MetricTerms>>;

const {
  http_request_duration_seconds: DURATIONS,
  http_request_failures_total: FAILURES,
  http_connections_closed_at_limit_total: CLOSED,
} = HTTP_METRICS;

/** Counts requests, their durations and connections beyond the limit, in the text format of Prometheus. */
export class Metrics implements ConnectionObserver {
  readonly #registry = new Registry();
  readonly #durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: DURATIONS.help,
    labelNames: DURATIONS.labels,
    buckets: [...DURATIONS.buckets],
    registers: [this.#registry],
  });
  readonly #failures = new Counter({
    name: 'http_request_failures_total',
    help: FAILURES.help,
    registers: [this.#registry],
  });
  readonly #closedAtLimit = new Counter({
    name: 'http_connections_closed_at_limit_total',
    help: CLOSED.help,
    labelNames: CLOSED.labels,
    registers: [this.#registry],
  });

  constructor() {
    for (const connection of ['idle', 'new']) this.#closedAtLimit.inc({ connection }, 0);
    collectDefaultMetrics({ register: this.#registry });
  }

  answered({ method, route, status, durationMs }: AnsweredRequest): void {
    this.#durations.observe({ method, route, status }, durationMs / 1000);
    if (status === 500) this.#failures.inc();
  }

  closedAtLimit(connection: 'idle' | 'new'): void {
    this.#closedAtLimit.inc({ connection });
  }

  /** Adds a gauge that is read whenever metrics are; NaN while there is no value. */
  watch(name: string, help: string, read: () => number): void {
    const registers = [this.#registry];
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  }

  /** Adds a counter that is read whenever metrics are. */
  count(name: string, help: string, read: () => number): void {
    const registers = [this.#registry];
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  /** Adds counters by labels, and returns what counts. */
  tally(name: string, help: string, labelNames: readonly string[]): LabelCounts {
    const tally = new LabelCounts();
    this.countBy(name, help, labelNames, () => tally);
    return tally;
  }

  /** Adds counters by labels: `read` gives the values of the labels of each, and its count, whenever metrics are read. */
  countBy(name: string, help: string, labelNames: readonly string[], read: ReadLabelled): void {
    const registers = [this.#registry];
    new Counter({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [values, count] of read()) this.inc(labelled(labelNames, values), count);
      },
    });
  }

  /** Adds gauges by labels, in the same way. */
  watchBy(name: string, help: string, labelNames: readonly string[], read: ReadLabelled): void {
    const registers = [this.#registry];
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [values, value] of read()) this.set(labelled(labelNames, values), value);
      },
    });
  }

  /** Adds a distribution, and returns what takes a value of it. */
  distribution(name: string, help: string, buckets: readonly number[]): (value: number) => void {
    const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [this.#registry] });
    return (value) => histogram.observe(value);
  }

  /** The media type and the text of all metrics. */
  async read(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}

/** Gives the values of the labels, and what was measured for them. */
export type ReadLabelled = () => Iterable<readonly [values: readonly string[], measured: number]>;

const labelled = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));

/** Beyond so many combinations of labels, others are counted as one: what a venue or a user names is not bounded. */
const MOST = 500;

interface Counted {
  readonly values: readonly string[];
  count: number;
}

/** Counts by labels. What is counted is made into a metric when metrics are read, so that counting costs one look-up. */
export class LabelCounts {
  readonly #counts = new Map<string, Counted>();

  /** Adds to the count of these values, one for each label. */
  add(values: readonly string[], by = 1): void {
    const key = values.join('\n');
    const known = this.#counts.get(key);
    if (known !== undefined) known.count += by;
    else if (this.#counts.size < MOST) this.#counts.set(key, { values, count: by });
    else this.#other(values).count += by;
  }

  /** Each combination of values, and its count. */
  *[Symbol.iterator](): Generator<readonly [values: readonly string[], count: number]> {
    for (const { values, count } of this.#counts.values()) yield [values, count];
  }

  #other(values: readonly string[]): Counted {
    const others = values.map(() => 'other');
    const key = others.join('\n');
    const known = this.#counts.get(key) ?? { values: others, count: 0 };
    this.#counts.set(key, known);
    return known;
  }
}

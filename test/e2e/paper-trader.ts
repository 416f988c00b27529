import { expect } from 'vitest';
import { ORDERS, STRATEGIES, STRATEGY } from '../support/app.js';
import type { Client, Reply } from '../support/http.js';
import type { Intention, PaperRequest } from './paper-requests.js';
import { idOf } from './trading.js';

type Sent = { readonly intention: Intention; readonly send: () => Promise<Reply> };

const REUSED = '422 idempotency-key-reused';
const ANSWERS: Readonly<Record<Exclude<Intention, 'repeat'>, RegExp>> = {
  'paper order': new RegExp(`^201|^409 idempotency-in-progress|${REUSED}`),
  'garbled order': /^(400|422) (bad-request|malformed-json|validation-failed)/,
  'forbidden order': new RegExp(`^403 live-trading-not-enabled|${REUSED}`),
  'free patch': /^200/,
  patch: /^200/,
  'refused patch': /^(400 malformed-json|412 precondition-failed|422 validation-failed)/,
  'strange patch': /^404/,
  pause: new RegExp(`^200|${REUSED}`),
  resume: new RegExp(`^200|${REUSED}`),
  strategy: new RegExp(`^201|${REUSED}`),
  cancellation: new RegExp(`^200|^404|^409 order-not-cancellable|${REUSED}`),
};

const answerOf = (reply: Reply): string => {
  const { type } = reply.json<{ type?: string }>();
  return `${reply.status} ${type?.replace('/problems/', '') ?? ''}`.trim();
};

/** A client that may trade with real money, and sends requests that do not; each answer is checked. */
export class PaperTrader {
  /** Strategies that are paper only, and stay so. */
  readonly #guarded: string[] = [];
  /** Strategies that anything may become of. */
  readonly #free: string[] = [];
  readonly #orders: string[] = [];
  readonly #sent: Sent[] = [];
  /** How often each intention was answered in which way. */
  readonly seen = new Map<string, number>();

  private constructor(
    private readonly client: Client,
    private readonly stranger: Client,
  ) {}

  static async start(client: Client, stranger: Client): Promise<PaperTrader> {
    const trader = new PaperTrader(client, stranger);
    for (const paper_only of [undefined, true]) {
      trader.#guarded.push(idOf(await client.post(STRATEGIES, { ...STRATEGY, paper_only })));
    }
    for (const paper_only of [false, true]) {
      trader.#free.push(idOf(await client.post(STRATEGIES, { ...STRATEGY, paper_only })));
    }
    return trader;
  }

  /** How many different orders were answered. */
  get orders(): number {
    return new Set(this.#orders).size;
  }

  async send(request: PaperRequest): Promise<void> {
    const sent = this.#prepared(request);
    if (this.#sent.length < 1000) this.#sent.push(sent);
    else this.#sent[request.pick % 1000] = sent;
    this.#judge(sent.intention, await sent.send(), request);
  }

  #judge(intention: Intention, reply: Reply, request: PaperRequest): void {
    const answer = answerOf(reply);
    const about = () => `${intention}: ${JSON.stringify(request)}\n${reply.text}`;
    if (intention !== 'repeat') expect(answer, about()).toMatch(ANSWERS[intention]);
    if (answer.startsWith('20') && (intention.endsWith('order') || intention === 'cancellation')) {
      expect(reply.json()['paper'], about()).toBe(true);
      this.#orders.push(idOf(reply));
    }
    if (intention === 'strategy' && reply.status === 201) this.#guarded.push(idOf(reply));
    const name = `${request.intention}: ${answer}`;
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
  }

  #prepared(request: PaperRequest): Sent {
    const { intention, pick, members, frame, query, headers } = request;
    const earlier = this.#sent[pick % Math.max(this.#sent.length, 1)];
    if (intention === 'repeat' && earlier !== undefined) return earlier;
    const of = (ids: readonly string[]) => ids[pick % ids.length] ?? pick.toString();
    const object = `{${[...members, ...this.#strategyOf(request)].filter((one) => one !== '').join(',')}}`;
    const body = frame.replaceAll('$', () => object);
    const sends = (method: string, path: string, text?: string, client = this.client): Sent => ({
      intention,
      send: () => client.send(method, path, { body: text, headers }),
    });
    if (intention.endsWith('order')) return sends('POST', `${ORDERS}${query}`, body);
    switch (intention) {
      case 'free patch':
        return sends('PATCH', `${STRATEGIES}/${of(this.#free)}`, body);
      case 'patch':
      case 'refused patch':
        return sends('PATCH', `${STRATEGIES}/${of(this.#guarded)}`, body);
      case 'strange patch':
        return sends('PATCH', `${STRATEGIES}/${of(this.#guarded)}`, body, this.stranger);
      case 'strategy':
        return sends('POST', STRATEGIES, body);
      case 'cancellation':
        return pick % 2 === 0
          ? sends('POST', `${ORDERS}/${of(this.#orders)}/cancel`)
          : sends('DELETE', `${ORDERS}/${of(this.#orders)}`);
      default:
        return sends('POST', `${STRATEGIES}/${of([...this.#guarded, ...this.#free])}/${intention}`);
    }
  }

  #strategyOf({ under, pick }: PaperRequest): string[] {
    if (under === 'none') return [];
    const ids = under === 'guarded' ? this.#guarded : this.#free;
    return [`"strategy_id":"${ids[pick % ids.length]}"`];
  }
}

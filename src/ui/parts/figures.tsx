import type { ComponentChildren } from 'preact';
import type { WireOrder } from '../../adapters/http/answers.js';
import { dollarText, gain, microOf, oddsInFormat, percentOf, plainDecimal } from '../state/amounts.js';
import { useSelected } from './use-store.js';

/** Dollars, with the exact figure as a title; a dash where it is not known. */
export function Money({ value }: { readonly value: string | bigint | null | undefined }) {
  if (value === null || value === undefined) return <span class="none">—</span>;
  const text = typeof value === 'string' ? value : undefined;
  return <span {...(text === undefined ? {} : { title: `${text} USDC` })}>{dollarText(exact(value))}</span>;
}

/** A profit or a loss: its sign before it, not its colour alone. */
export function Gain({ value }: { readonly value: string | bigint | null | undefined }) {
  if (value === null || value === undefined) return <span class="none">—</span>;
  const micro = exact(value);
  return <span class={micro > 0n ? 'up' : micro < 0n ? 'down' : ''}>{gain(micro)}</span>;
}

/** A price or a number of shares, with all its digits. */
export function Plain({ value }: { readonly value: string | null | undefined }) {
  if (value === null || value === undefined) return <span class="none">—</span>;
  return <span>{plainDecimal(value)}</span>;
}

const exact = (value: string | bigint): bigint => (typeof value === 'string' ? microOf(value) : value);

/** Odds in the format that the person chose; the decimal odds on hover. */
export function ChosenOdds({ value }: { readonly value: string | null }) {
  const format = useSelected((state) => state.odds);
  if (value === null) return <span class="none">—</span>;
  return <span title={`${value} decimal`}>{oddsInFormat(value, format)}</span>;
}

/** A moment in UTC; the local time on hover. */
export function Moment({ at, day = true }: { readonly at: string | null; readonly day?: boolean }) {
  if (at === null) return <span class="none">—</span>;
  const text = `${day ? `${at.slice(5, 10)} ` : ''}${at.slice(11, 19)}`;
  return (
    <time dateTime={at} title={`${new Date(at).toLocaleString()} here, ${at} UTC`}>
      {text}
    </time>
  );
}

/** How old something is, in words. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}

/** A reading with its age; grey once it is older than `staleMs`. While the stream says nothing of it, it is as it was. */
export function Aged(props: {
  readonly since: number;
  readonly staleMs: number;
  readonly children: ComponentChildren;
}) {
  const age =
    useSelected(({ now, connection }) => Math.round((now - Math.max(props.since, connection.heardAt)) / 1000)) * 1000;
  const isStale = age > props.staleMs;
  return (
    <div class={isStale ? 'stale' : ''}>
      {props.children}
      {isStale ? <p class="hint">Read {ageText(age)} ago.</p> : null}
    </div>
  );
}

/** The state of something, in one word. */
export function Badge({ tone = '', children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** The colour of a badge, beside its word. */
export type Tone = '' | 'good' | 'bad' | 'warn' | 'live' | 'paper';

/** The colour of a status, beside its word. */
export function toneOf({ status }: Pick<WireOrder, 'status'>): Tone {
  if (status === 'unknown' || status === 'failed') return 'bad';
  if (status === 'denied' || status === 'rejected') return 'warn';
  return status === 'filled' || status === 'settled' ? 'good' : '';
}

/** How much of a limit is used: a bar with its figures in words. */
export function Meter(props: { readonly name: string; readonly used: string | null; readonly limit: string | null }) {
  const { name, used, limit } = props;
  if (limit === null)
    return (
      <div class="meter">
        <span>{name}</span>
        <span class="num">
          {used === null ? null : <Money value={used} />} <span class="hint">no limit</span>
        </span>
      </div>
    );
  const percent = percentOf(used ?? '0', limit);
  return (
    <div class="meter">
      <span>{name}</span>
      <span class="num">
        <Money value={used} /> of <Money value={limit} />
      </span>
      <progress
        max="100"
        value={percent}
        class={percent >= 80 ? 'high' : ''}
        aria-label={`${name}: ${percent} percent used`}
      />
    </div>
  );
}

/** A titled part of a page. */
export function Card(props: { readonly title: string; readonly children: ComponentChildren; readonly wide?: boolean }) {
  return (
    <section class={props.wide ? 'card wide' : 'card'}>
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

/** What to do where there is nothing yet. */
export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

/** Why something could not be read. */
export const Trouble = ({ text }: { readonly text: string | null }) =>
  text === null ? null : (
    <p class="note bad" role="alert">
      {text}
    </p>
  );

/** A name and its value. */
export function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

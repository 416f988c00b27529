import { useEffect, useState } from 'preact/hooks';
import { ApiRefusal, api, type WrongMember } from '../net/api.js';
import { type DraftBody, labelAt, piecesOf } from '../state/strategy-draft.js';
import { Trouble } from './figures.tsx';
import { FieldLink } from './rule-field.tsx';

/** How long nobody typed before the service is asked what the strategy means. */
const TYPING_MS = 300;

/** What the service says of a draft. */
export interface DraftMeaning {
  readonly sentences: readonly { readonly pointer: string; readonly sentence: string }[];
  readonly warnings: readonly WrongMember[];
  readonly errors: readonly WrongMember[];
  /** Why it could not be explained, where no member is named. */
  readonly problem: string | null;
  /** Whether this is of what is typed now. */
  readonly isCurrent: boolean;
}

const NOT_YET: DraftMeaning = { sentences: [], warnings: [], errors: [], problem: null, isCurrent: false };

/** What the service says of a body, once nobody types any more; it is not asked of one that lacks what every strategy has. */
export function useExplained(body: DraftBody | null): DraftMeaning {
  const [state, setState] = useState({ body: null as DraftBody | null, explained: NOT_YET });
  useEffect(() => {
    if (body === null) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      explain(body, abort.signal).then(
        (explained) => setState({ body, explained }),
        () => {},
      );
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [body]);
  return { ...state.explained, isCurrent: body !== null && state.body === body };
}

async function explain(body: DraftBody, signal: AbortSignal): Promise<DraftMeaning> {
  try {
    const { data, warnings } = await api<{ data: DraftMeaning['sentences']; warnings: readonly WrongMember[] }>(
      '/v1/strategies/validate',
      { method: 'POST', body, signal },
    );
    return { ...NOT_YET, sentences: data, warnings };
  } catch (error) {
    if (signal.aborted) throw error;
    if (!(error instanceof ApiRefusal)) return { ...NOT_YET, problem: 'The service did not answer.' };
    return { ...NOT_YET, errors: error.errors, problem: error.errors.length === 0 ? error.message : null };
  }
}

/** Sentences, warnings and what is wrong; members are named by their fields, and lead there. */
export function Meaning({ explained: { sentences, warnings, errors, problem } }: { readonly explained: DraftMeaning }) {
  return (
    <div aria-live="polite">
      <Trouble text={problem} />
      {errors.length === 0 ? null : (
        <>
          <p>Before it can be made:</p>
          <ul>
            {errors.map((one) => (
              <li key={one.pointer}>
                <Said of={one} />
              </li>
            ))}
          </ul>
        </>
      )}
      {warnings.map((one) => (
        <p class="note warn" key={`${one.pointer} ${one.detail}`}>
          <Said of={one} />
        </p>
      ))}
      <Sentences of={sentences} />
    </div>
  );
}

/** What each member means. */
export const Sentences = ({ of }: { readonly of: DraftMeaning['sentences'] }) => (
  <ul class="sentences">
    {of.map(({ pointer, sentence }) => (
      <li key={`${pointer} ${sentence}`}>{sentence}</li>
    ))}
  </ul>
);

const Said = ({ of: { pointer, detail } }: { readonly of: WrongMember }) => (
  <>
    <FieldLink pointer={pointer} />{' '}
    {piecesOf(detail).map((one) =>
      one.pointer === null ? one.text : <FieldLink key={one.text} pointer={one.pointer} />,
    )}
  </>
);

/** A warning beside a strategy, which names members as its form does. */
export const WarningText = ({ of: { pointer, detail } }: { readonly of: WrongMember }) => (
  <>
    <b>{labelAt(pointer)}</b> {piecesOf(detail).map(({ text, pointer: at }) => (at === null ? text : `“${text}”`))}
  </>
);

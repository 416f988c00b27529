import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AuthScope } from '../../core/access/principal.js';
import { ApiRefusal, freshKey } from '../net/api.js';
import type { UiState } from '../net/ui-store.js';
import { KeyField } from './key-field.tsx';
import { useLogin, useMay, useSelected, useStore } from './use-store.js';

/** What a person does. */
export interface ActProps<Answer> {
  /** The text of the button that opens it, and of its title. */
  readonly label: string;
  /** The text of the button that does it. */
  readonly confirm: string;
  /** Whether it is drawn as something grave. */
  readonly grave?: boolean;
  /** Whether its button is there; a form that is open stays until it is closed. */
  readonly isOffered?: boolean;
  /** Any of these scopes allows it: a key with none of them is not offered it. Everybody is where it is absent. */
  readonly scopes?: readonly AuthScope[];
  /** Called when its form opens. */
  readonly opened?: () => void;
  /** Called when its form was closed. */
  readonly closed?: () => void;
  /** Why it cannot be done here; null where it can. */
  readonly forbidden?: string | null;
  /** What it will do, with its figures, and its fields. */
  readonly children: ComponentChildren;
  /** Sends it. The key is made when the form opens, so that to send it twice does it once. */
  readonly send: (idempotencyKey: string) => Promise<Answer>;
  /** What happened, once the stream has reported it; null until then. `since` is the last event before it was sent. */
  readonly outcome: (answer: Answer, state: UiState, since: number) => string | null;
  /** Whether it can be sent as it is filled in. */
  readonly ready?: boolean;
  /** Whether it takes the API key from the start; otherwise it asks for the key once the service does. */
  readonly asksKey?: boolean;
}

type Phase<Answer> =
  | { readonly is: 'closed' | 'open' | 'sending' }
  | { readonly is: 'sent'; readonly answer: Answer; readonly since: number }
  | { readonly is: 'refused'; readonly why: string };

/** A button, a form with what it will do, and what came of it. */
export function Act<Answer>(props: ActProps<Answer>) {
  const { label, grave, forbidden = null, isOffered = true, opened, scopes = [] } = props;
  const mayDo = useMay(...scopes);
  const [phase, setPhase] = useState<Phase<Answer>>({ is: 'closed' });
  if (!(isOffered && mayDo) && phase.is === 'closed') return null;
  return (
    <>
      <button
        type="button"
        class={grave ? 'stop' : ''}
        disabled={forbidden !== null}
        {...(forbidden === null ? {} : { title: forbidden })}
        onClick={() => {
          opened?.();
          setPhase({ is: 'open' });
        }}
      >
        {label}
      </button>
      {phase.is === 'closed' ? null : <ActForm {...props} phase={phase} setPhase={setPhase} />}
    </>
  );
}

interface FormProps<Answer> extends ActProps<Answer> {
  readonly phase: Phase<Answer>;
  readonly setPhase: (phase: Phase<Answer>) => void;
}

function ActForm<Answer>(props: FormProps<Answer>) {
  const { label, confirm, grave, children, outcome, closed, ready = true, phase, setPhase } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const { submit, asksKey, apiKey, setApiKey } = useSubmit(props);
  useEffect(() => dialog.current?.showModal(), []);
  const isOver = phase.is === 'sent';
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onClose={() => {
        setPhase({ is: 'closed' });
        closed?.();
      }}
    >
      <form onSubmit={submit}>
        <h2>{label}</h2>
        <fieldset disabled={phase.is === 'sending' || isOver}>
          {children}
          {asksKey && !isOver ? <KeyField value={apiKey} onKey={setApiKey} /> : null}
        </fieldset>
        <Outcome phase={phase} outcome={outcome} />
        <p class="acts">
          {isOver ? null : (
            <button type="submit" class={grave ? 'stop' : 'main'} disabled={phase.is === 'sending' || !ready}>
              {confirm}
            </button>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            {isOver ? 'Close' : 'Do nothing'}
          </button>
        </p>
      </form>
    </dialog>
  );
}

/** Sends the form once; what was refused may be sent again, with the same key. */
function useSubmit<Answer>({ send, setPhase, asksKey: asksFirst = false }: FormProps<Answer>) {
  const store = useStore();
  const login = useLogin();
  const key = useRef(freshKey());
  const isSending = useRef(false);
  /** The last event of the log before the action may have happened for the first time. */
  const since = useRef<number | null>(null);
  const [asksKey, setAsksKey] = useState(asksFirst);
  const [apiKey, setApiKey] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    // Two events of one moment see the same state, but not the same reference.
    if (isSending.current) return;
    isSending.current = true;
    setPhase({ is: 'sending' });
    try {
      if (asksKey) await login.prove(apiKey.trim());
      since.current ??= store.state.known.head;
      setPhase({ is: 'sent', answer: await send(key.current), since: since.current });
    } catch (error) {
      if (error instanceof ApiRefusal && error.problem === 'key-needed') setAsksKey(true);
      if (error instanceof ApiRefusal) since.current = null;
      setPhase({ is: 'refused', why: whyOf(error, asksKey) });
      isSending.current = false;
    }
  };
  return { submit, asksKey, apiKey, setApiKey };
}

function Outcome<Answer>({ phase, outcome }: Pick<FormProps<Answer>, 'phase' | 'outcome'>) {
  const text = useSelected((state) => {
    if (phase.is === 'sending') return 'Sending…';
    if (phase.is === 'refused') return phase.why;
    if (phase.is !== 'sent') return '';
    return outcome(phase.answer, state, phase.since) ?? 'Sent. Waiting for what becomes of it…';
  });
  return (
    <p role={phase.is === 'refused' ? 'alert' : 'status'} class={`outcome ${phase.is}`}>
      {text}
    </p>
  );
}

function whyOf(error: unknown, hadKey: boolean): string {
  if (error instanceof ApiRefusal)
    return hadKey && error.status === 401 ? 'The service does not know this key. Nothing was done.' : error.message;
  return 'The service did not answer. It may have happened or not: send it again, with this form it happens once.';
}

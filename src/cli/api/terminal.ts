import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandFailed, EXIT } from '../../server/failures/exit.js';

/** The person at the keyboard, if there is one. */
export interface Terminal {
  /** False for a script, a pipe or a service: nobody can be asked. */
  readonly isInteractive: boolean;
  /** The answer to a question, in one line. */
  ask(question: string): Promise<string>;
  /**
   * The answer to a question, which is not shown while it is typed; without a person, all of standard input.
   * @throws CommandFailed where a person leaves without an answer
   */
  askHidden(question: string): Promise<string>;
}

/** The terminal of this process. Questions are on standard error, so that output can go elsewhere. */
export const processTerminal: Terminal = {
  get isInteractive() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  ask: async (question) => (await answerTo(question, process.stdin, process.stderr)) ?? '',
  async askHidden(question) {
    if (process.stdin.isTTY !== true) return allOf(process.stdin);
    process.stderr.write(question);
    const answer = await answerTo('', process.stdin, new Writable({ write: (_chunk, _encoding, done) => done() }));
    process.stderr.write('\n');
    // Nothing typed is an answer; who leaves has given none.
    if (answer === undefined) throw new CommandFailed('Nothing was done.', EXIT.no);
    return answer;
  },
};

/** The line that is typed after a question; undefined where ^C or ^D ends it. */
export async function answerTo(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string | undefined> {
  const reader = createInterface({ input, output, terminal: true });
  const left = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)));
  reader.once('SIGINT', () => reader.close());
  try {
    return await Promise.race([reader.question(question), left]);
  } finally {
    reader.close();
  }
}

async function allOf(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text;
}

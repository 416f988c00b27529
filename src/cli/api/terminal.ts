import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The person at the keyboard, if there is one. */
export interface Terminal {
  /** False for a script, a pipe or a service: nobody can be asked. */
  readonly isInteractive: boolean;
  /** The answer to a question, in one line. */
  ask(question: string): Promise<string>;
  /** The same without showing what is typed; without a person, all of standard input. */
  askHidden(question: string): Promise<string>;
}

/** The terminal of this process. Questions are on standard error, so that output can go elsewhere. */
export const processTerminal: Terminal = {
  get isInteractive() {
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  },
  ask: (question) => answerTo(question, process.stderr),
  async askHidden(question) {
    if (process.stdin.isTTY !== true) return allOf(process.stdin);
    process.stderr.write(question);
    const answer = await answerTo('', new Writable({ write: (_chunk, _encoding, done) => done() }));
    process.stderr.write('\n');
    return answer;
  },
};

async function answerTo(question: string, output: NodeJS.WritableStream): Promise<string> {
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  const ended = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
  reader.once('SIGINT', () => reader.close());
  try {
    return await Promise.race([reader.question(question), ended]);
  } finally {
    reader.close();
  }
}

async function allOf(input: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return text;
}

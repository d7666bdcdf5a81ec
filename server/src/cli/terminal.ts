import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { Failure } from './failures.ts';

export interface Terminal {
  /** Whether a person uses it: input and output are a terminal and not redirected. */
  interactive: boolean;
  print(line: string): void;
  /** Asks on a terminal, without showing what is typed if `hidden`; else reads the next line of the input. Throws Failure at its end. */
  ask(question: string, options?: { hidden?: boolean }): Promise<string>;
  close(): void;
}

/** Ctrl-C. */
const EXIT_INTERRUPTED = 130;

export function createTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal {
  const interactive = input.isTTY === true && output.isTTY === true;
  let shown = true;
  // readline echoes the input through this stream, which hides passwords.
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (shown) output.write(chunk);
      done();
    },
  });
  let reader: Interface | undefined;
  let lines: AsyncIterator<string> | undefined;

  return {
    interactive,
    print: (line) => void output.write(`${line}\n`),
    async ask(question, { hidden = false } = {}) {
      if (!reader) {
        reader = interactive ? createInterface({ input, output: echo, terminal: true }) : createInterface({ input });
        reader.on('SIGINT', () => {
          output.write('\n');
          process.exit(EXIT_INTERRUPTED);
        });
        lines = reader[Symbol.asyncIterator]();
      }
      if (interactive) output.write(question);
      shown = !hidden;
      const next = await lines?.next();
      shown = true;
      if (interactive && hidden) output.write('\n');
      if (!next || next.done) throw new Failure(`Es fehlt eine Eingabe: ${question.trim()}`);
      return next.value;
    },
    close: () => reader?.close(),
  };
}

import { parseArgs } from 'node:util';
import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Config } from '../config/config.ts';
import type { Features } from '../wiring.ts';

/** The command line is wrong. The message and the help are printed; exit code 64. */
export class UsageError extends Error {}

/** A refusal in German, printed without a trace; exit code 1. */
export class Failure extends Error {}

/** Names the input in place of a file. */
export const STDIN = '-';

/** Address for which wrong passwords in commands are counted. */
export const LOCAL = '127.0.0.1';

/** Tools of a command. */
export interface Operator {
  config: Config;
  /** Opens database, stores and features once; they are closed when the command ends. */
  features(): Promise<Features>;
  terminal: Terminal;
}

/** One of the operator's commands. Texts are German. */
export interface Command {
  /** Words of the call, for example `admin add`. */
  name: string;
  /** Arguments: `<one>`, `[<one>]`, `--option <value>`, `[--option <value>]` and `[--flag]`. This text is also parsed. */
  parameters: string;
  /** One line for the help. */
  summary: string;
  /** The command creates the database, or migrates its schema to this version; all others refuse one that is missing or differs. */
  migrates?: boolean;
  /** The command holds a lease, which it gives back where a signal ends it. */
  leases?: boolean;
  /** Returns the exit code, by default 0. Throws UsageError for wrong arguments, Failure for a refusal. */
  run(given: ReturnType<typeof readArguments>, operator: Operator): Promise<number | void>;
}

/** Reads words by a command's `parameters`; options may be in any place. Throws UsageError. */
export function readArguments(parameters: string, words: string[]) {
  const known = [...parameters.matchAll(/(?<optional>\[?)--(?<name>[a-z-]+)(?<value> [^\]]+)?/g)].map(({ 0: text, groups = {} }) => ({
    text,
    name: groups.name ?? '',
    needed: groups.optional === '',
    type: groups.value ? ('string' as const) : ('boolean' as const),
  }));
  const places = parameters.replaceAll(/--[a-z-]+ <.+?>/g, '').match(/\[?<.+?>/g) ?? [];
  const { positionals: args, values } = known.length === 0 ? { positionals: words, values: {} } : parse(words, known);
  const unknown = args.find((arg) => arg.startsWith('-') && arg !== STDIN);
  if (unknown) throw new UsageError(`„${unknown}“ ist hier nicht bekannt.`);
  if (args.length < places.filter((place) => place.startsWith('<')).length) throw new UsageError('Es fehlt eine Angabe.');
  if (args.length > places.length) throw new UsageError(`„${args[places.length]}“ ist zu viel.`);
  // An empty folder name would mean the shell's current folder.
  if ([...args, ...Object.values(values)].includes('')) throw new UsageError('Eine Angabe ist leer.');
  const missing = known.find(({ name, needed }) => needed && !(name in values));
  if (missing) throw new UsageError(`Es fehlt ${missing.text}.`);
  return { args, options: new Map(Object.entries(values).map(([name, value]) => [name, String(value)])) };
}

function parse(words: string[], known: { name: string; type: 'string' | 'boolean' }[]) {
  try {
    const options = Object.fromEntries(known.map(({ name, type }) => [name, { type }]));
    return parseArgs({ args: words, options, allowPositionals: true, strict: true });
  } catch {
    throw new UsageError(`„${words.join(' ')}“ ist hier nicht bekannt oder nicht vollständig.`);
  }
}

/** Exit code after Ctrl-C. */
const EXIT_INTERRUPTED = 130;

export type Terminal = ReturnType<typeof createTerminal>;

export function createTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream) {
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
    /** A person uses the terminal: input and output are not redirected. */
    interactive,
    print: (line: string) => void output.write(`${line}\n`),
    /** Asks on a terminal, without an echo if `hidden`; else reads the next line of the input. Throws Failure at its end. */
    async ask(question: string, { hidden = false } = {}): Promise<string> {
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

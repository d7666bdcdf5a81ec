import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Parts } from '../services.ts';
import { UsageError } from './failures.ts';
import type { Terminal } from './terminal.ts';

/** The address for which wrong passwords in commands are counted. */
export const LOCAL = '127.0.0.1';

/** The parts that a command can use. */
export interface Operator {
  config: Config;
  /** Opens database, stores and rules once; closed when the command ends. */
  parts(): Promise<Parts>;
  terminal: Terminal;
}

/** One of the operator's commands. Texts are German. */
export interface Command {
  /** The words of the call, for example `admin add`. */
  name: string;
  /** What follows the name: `<one>`, `[<one>]`, `--option <value>`, `[--option <value>]` and `[--flag]`. It is read from this text. */
  parameters: string;
  /** One line for the help. */
  summary: string;
  /** Whether the command works without an existing database; all others refuse. */
  fillsEmpty?: boolean;
  /** Whether the command migrates the schema to this version; all others refuse an older or newer schema. */
  migrates?: boolean;
  /** Returns the exit code, by default 0. Throws UsageError for wrong arguments, Failure for a refusal. */
  run(given: Given, operator: Operator): Promise<number | void>;
}

/** What a command was called with. */
interface Given {
  args: string[];
  /** Options by their names, with their values. */
  options: ReadonlyMap<string, string>;
}

/** Reads words as the `parameters` of a command describe them; options may be in any place. Throws UsageError. */
export function readArguments(parameters: string, words: string[]): Given {
  const known = [...parameters.matchAll(/(?<optional>\[?)--(?<name>[a-z-]+)(?<value> [^\]]+)?/g)].map(({ 0: text, groups = {} }) => ({
    text,
    name: groups.name ?? '',
    needed: groups.optional === '',
    type: groups.value ? ('string' as const) : ('boolean' as const),
  }));
  const places = parameters.replaceAll(/--[a-z-]+ <.+?>/g, '').match(/\[?<.+?>/g) ?? [];
  const { positionals: args, values } = known.length === 0 ? { positionals: words, values: {} } : parse(words, known);
  const unknown = args.find((arg) => arg.startsWith('-'));
  if (unknown) throw new UsageError(`„${unknown}“ ist hier nicht bekannt.`);
  if (args.length < places.filter((place) => place.startsWith('<')).length) throw new UsageError('Es fehlt eine Angabe.');
  if (args.length > places.length) throw new UsageError(`„${args[places.length]}“ ist zu viel.`);
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

import { parseArgs } from 'node:util';
import type { Config } from '../config/config.ts';
import type { Parts } from '../services.ts';
import { UsageError } from './failures.ts';
import type { Terminal } from './terminal.ts';

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
  /** What follows the name, for example `<Benutzername>`. */
  parameters: string;
  /** One line for the help. */
  summary: string;
  /** Whether the command works without an existing database; all others refuse. */
  fillsEmpty?: boolean;
  /** Whether the command migrates the schema to this version; all others refuse an older or newer schema. */
  migrates?: boolean;
  /** Returns the exit code, by default 0. Throws UsageError for wrong arguments, Failure for a refusal. */
  run(args: string[], operator: Operator): Promise<number | void>;
}

/** Arguments of a command that takes from `least` to `most`; none may look like an option. Throws UsageError. */
export function positional(args: string[], least: number, most: number): string[] {
  const option = args.find((arg) => arg.startsWith('-'));
  if (option) throw new UsageError(`„${option}“ ist hier nicht bekannt.`);
  if (args.length < least) throw new UsageError('Es fehlt eine Angabe.');
  if (args.length > most) throw new UsageError(`„${args[most]}“ ist zu viel.`);
  return args;
}

/**
 * Arguments of a command with options: `with value` (`--event CODE`) or a flag (`--yes`), in any place. Throws UsageError.
 */
export function options<N extends string, F extends string = never>(
  args: string[],
  known: { values: readonly N[]; flags?: readonly F[] },
  [least, most]: [number, number],
): { given: string[]; values: Partial<Record<N, string>>; flags: Record<F, boolean> } {
  const shapes = [
    ...known.values.map((name) => [name, { type: 'string' }] as const),
    ...(known.flags ?? []).map((name) => [name, { type: 'boolean' }] as const),
  ];
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args, options: Object.fromEntries(shapes), allowPositionals: true, strict: true });
  } catch {
    throw new UsageError(`„${args.join(' ')}“ ist hier nicht bekannt oder nicht vollständig.`);
  }
  const all = parsed.values as Record<string, string | boolean | undefined>;
  return {
    given: positional(parsed.positionals, least, most),
    values: Object.fromEntries(known.values.map((name) => [name, all[name]])) as Partial<Record<N, string>>,
    flags: Object.fromEntries((known.flags ?? []).map((name) => [name, all[name] === true])) as Record<F, boolean>,
  };
}

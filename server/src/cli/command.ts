import type { Parts } from '../services.ts';
import type { Terminal } from './terminal.ts';

/** What a command works with. */
export interface Operator {
  /** Opens database, stores and rules once; closed when the command ends. */
  parts(): Promise<Parts>;
  terminal: Terminal;
}

/** One of the operator's commands. Texts are German. */
export interface Command {
  /** The words after `npm run cli --`, for example `admin add`. */
  name: string;
  /** What follows the name, for example `<Benutzername>`. */
  parameters: string;
  /** One line for the help. */
  summary: string;
  /** Answers the exit code, 0 if nothing is said. Throws UsageError for arguments that do not fit, Failure for what was refused. */
  run(args: string[], operator: Operator): Promise<number | void>;
}

/** The command line is not understood: its message, the help, exit code 64. */
export class UsageError extends Error {}

/** A refusal in German, for people: no trace, exit code 1. */
export class Failure extends Error {}

/** Arguments of a command that takes from `least` to `most`; none may look like an option. Throws UsageError. */
export function positional(args: string[], least: number, most: number): string[] {
  const option = args.find((arg) => arg.startsWith('-'));
  if (option) throw new UsageError(`„${option}“ ist hier nicht bekannt.`);
  if (args.length < least) throw new UsageError('Es fehlt eine Angabe.');
  if (args.length > most) throw new UsageError(`„${args[most]}“ ist zu viel.`);
  return args;
}

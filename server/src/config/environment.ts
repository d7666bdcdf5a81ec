/** The only code that reads the process's environment and options; config.ts checks the values. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return { ...process.env };
}

const FILE_OPTION = '--env-file=';

/** The file from which Node has read settings into the environment, if there is one (see tools/lib.mjs and bin/feierbild). */
export function settingsFile(): string | null {
  return process.execArgv.find((option) => option.startsWith(FILE_OPTION))?.slice(FILE_OPTION.length) ?? null;
}

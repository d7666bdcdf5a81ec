/** The only code that reads the process's environment; config.ts checks the values. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return { ...process.env };
}

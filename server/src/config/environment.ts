/** The only reader of the process's environment; config.ts judges what it holds. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function readEnvironment(): Environment {
  return { ...process.env };
}

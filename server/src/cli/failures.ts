/** The command line is not understood: its message, the help, exit code 64. */
export class UsageError extends Error {}

/** A refusal in German, for people: no trace, exit code 1. */
export class Failure extends Error {}

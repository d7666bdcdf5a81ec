/** A small wrong change, and the tests that must notice it. */
export interface Mutant {
  /** The file below `server/src/`. */
  in: string;
  /** What would be wrong. */
  says: string;
  /** A text that occurs once in the file, and what replaces it. */
  change: [right: string, wrong: string];
  /** Test files below `server/src/`. */
  noticed: string[];
  /** Part of the names of the tests, a regular expression; by default those on SQLite. */
  by?: string;
}

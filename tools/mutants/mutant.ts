/** A small wrong change, and the tests that must notice it. */
export interface Mutant {
  /** The file below `server/src/`. */
  in: string;
  /** The wrong behaviour. */
  says: string;
  /** A text that occurs once in the file, and its replacement. */
  change: [right: string, wrong: string];
  /** Test files below `server/src/`. */
  noticed: string[];
  /** Regular expression for the names of the tests. Default: tests on SQLite. */
  by?: string;
}

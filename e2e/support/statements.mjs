// The server loads this script with --import. It appends each statement that SQLite prepares to STATEMENTS_FILE, once, as a line of JSON.
import { appendFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const file = process.env.STATEMENTS_FILE;
if (file) {
  const seen = new Set();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql, ...options) {
    if (!seen.has(sql)) appendFileSync(file, `${JSON.stringify(sql)}\n`);
    seen.add(sql);
    return prepare.call(this, sql, ...options);
  };
}

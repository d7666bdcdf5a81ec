import { opendir } from 'node:fs/promises';
import { ifMissing } from './if-missing.ts';

/** Names in a batch. While a batch is collected, twice as many are in memory. */
const BATCH = 20_000;
/** Names that the system reads at a time. */
const READ_AT_ONCE = 1000;

/**
 * Lists the names in a folder behind `after`, in order and in batches; names of folders end in `/`. Takes the same memory for a folder of
 * any size: the folder is read anew for each batch. A missing folder is empty; one that cannot be read throws an error with its path.
 */
export async function* namesInOrder(path: string, after = '', batch = BATCH): AsyncGenerator<string[]> {
  for (let last = after; ;) {
    const names = await firstNames(path, last, batch).catch((error: Error) => {
      // The system names the folder where it does not open, and not where its names are read.
      throw Object.assign(error, { path });
    });
    yield names;
    if (names.length < batch) return;
    last = names.at(-1) as string;
  }
}

/** Reads the first `count` names behind `after`. */
async function firstNames(path: string, after: string, count: number): Promise<string[]> {
  let names: string[] = [];
  let highest: string | undefined;
  const folder = await opendir(path, { bufferSize: READ_AT_ONCE }).catch(ifMissing(null));
  if (!folder) return [];
  for await (const entry of folder) {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
    if (name <= after || (highest !== undefined && name > highest)) continue;
    if (names.push(name) < 2 * count) continue;
    names = names.sort().slice(0, count);
    highest = names.at(-1);
  }
  return names.sort().slice(0, count);
}

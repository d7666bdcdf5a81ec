import { bytesOf, bytesOfEvent, put, remove } from './database.ts';

/**
 * The kept bytes of chosen files: each a file in the browser's private file system (`uploads/{event}/{id}`), or a record of IndexedDB
 * where there is none.
 */

const FOLDER = 'uploads';
/** Written at once, so that a large file need not be in memory. */
const PIECE_BYTES = 4 * 1024 * 1024;

/** As the first browsers had it: asynchronous but for the writing. */
interface Access {
  truncate(size: number): void | Promise<void>;
  write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  flush(): void | Promise<void>;
  close(): void | Promise<void>;
}

/** The event's folder; null where the browser has no private file system, or refuses it (private windows). */
async function folderOf(event: string, create = false): Promise<FileSystemDirectoryHandle | null> {
  try {
    const root = await navigator.storage.getDirectory();
    return await (await root.getDirectoryHandle(FOLDER, { create })).getDirectoryHandle(event, { create });
  } catch {
    return null;
  }
}

/** Throws in a private window of Firefox: its database ends with it, too, and the page must not promise that it goes on. */
async function refusePrivateWindow(): Promise<void> {
  try {
    await navigator.storage.getDirectory();
  } catch (error) {
    // WebKitGTK, which has no private file system either, gives another reason.
    if ((error as Error).name === 'SecurityError') throw error;
  }
}

/** Copies a file; only in a worker. Throws where there is no room, or the file cannot be read. */
export async function writeBytes(event: string, id: string, file: Blob): Promise<void> {
  const folder = await folderOf(event, true);
  if (!folder) await refusePrivateWindow();
  const handle = await folder?.getFileHandle(id, { create: true });
  if (!folder || !handle || !('createSyncAccessHandle' in handle)) {
    await put('bytes', { id, event, bytes: await file.arrayBuffer() });
    return;
  }
  const access: Access = await handle.createSyncAccessHandle();
  try {
    await access.truncate(0);
    for (let at = 0; at < file.size; at += PIECE_BYTES) {
      const piece = new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer());
      if (access.write(piece, { at }) !== piece.length) throw new DOMException('no room', 'QuotaExceededError');
    }
    await access.flush();
  } catch (error) {
    await access.close();
    await folder.removeEntry(id).catch(() => undefined);
    throw error;
  }
  await access.close();
}

/** The kept bytes, or null where they are not there as a whole. */
export async function readBytes(event: string, id: string, size: number): Promise<Blob | null> {
  try {
    const handle = await (await folderOf(event))?.getFileHandle(id).catch(() => null);
    if (handle) {
      const file = await handle.getFile();
      return file.size === size ? file : null;
    }
    const kept = await bytesOf(id);
    return kept && kept.bytes.byteLength === size ? new Blob([kept.bytes]) : null;
  } catch {
    return null;
  }
}

export async function removeBytes(event: string, id: string): Promise<void> {
  await Promise.allSettled([folderOf(event).then((folder) => folder?.removeEntry(id)), remove('bytes', id)]);
}

/** Ids of all kept files of an event. */
export async function keptIds(event: string): Promise<Set<string>> {
  const ids = new Set(await bytesOfEvent(event).catch(() => []));
  const folder = await folderOf(event);
  if (folder) for (const name of await namesIn(folder)) ids.add(name);
  return ids;
}

/** Events that files are kept of, as folders. */
export async function keptEvents(): Promise<string[]> {
  try {
    return await namesIn(await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER));
  } catch {
    return [];
  }
}

export async function removeFolder(event: string): Promise<void> {
  try {
    const root = await navigator.storage.getDirectory();
    await (await root.getDirectoryHandle(FOLDER)).removeEntry(event, { recursive: true });
  } catch {
    // There is none.
  }
}

async function namesIn(folder: FileSystemDirectoryHandle): Promise<string[]> {
  const names: string[] = [];
  // The types lack the iterator.
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) names.push(name);
  return names;
}

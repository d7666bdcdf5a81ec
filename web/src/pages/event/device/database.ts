import { within } from '../../../lib/time-limit.ts';
import type { Item } from '../item.ts';

/** A chosen file's row, which outlives the page. Bytes are stored as ArrayBuffer, because iOS returns stored Files and Blobs empty. */
export interface Descriptor extends Pick<Item, 'id' | 'name' | 'type' | 'size' | 'modified' | 'failure'> {
  /** The event's code. */
  event: string;
  /** Place in the order of sending. */
  place: number;
  /** Time by this device's clock, ms since 1970. */
  addedAt: number;
  /** First time at which the row was found to be too old, by this device's clock, ms since 1970. */
  oldSince?: number;
  state: 'waiting' | 'stored' | 'refused';
  key: string;
  sha256: string | null;
  /** The item's `submitted`, by the name that it had in earlier versions. */
  released: boolean;
}

interface StoredBytes {
  id: string;
  bytes: ArrayBuffer;
}

/** Limit of a transaction: after a sleep, some phones' storage does not answer. */
const ANSWER_MS = 10_000;

let database: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('uploads', 1);
    request.onupgradeneeded = () => {
      for (const store of ['items', 'bytes']) request.result.createObjectStore(store, { keyPath: 'id' });
    };
    request.onsuccess = () => {
      const opened = request.result;
      opened.onclose = opened.onversionchange = () => {
        opened.close();
        database = null;
      };
      resolve(opened);
    };
    request.onerror = () => reject(request.error as DOMException);
  });
  database.catch(() => (database = null));
  return database;
}

type Requests<T> = { [K in keyof T]: IDBRequest<T[K]> };

/**
 * Reads the requests' results, each before the transaction is committed: Chromium keeps values of over 64 KiB in files beside its database,
 * and reports a committed transaction as complete before it has read them.
 */
function read<T extends unknown[]>(requests: Requests<T>): Promise<T> {
  const one = <R>(request: IDBRequest<R>): Promise<R> => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
  return Promise.all(requests.map((request) => one(request as IDBRequest<unknown>))) as Promise<T>;
}

/** Commits at once, and resolves when all is durable. In WebKit a transaction left open by a frozen page blocks every later page. */
function write(transaction: IDBTransaction): Promise<void> {
  transaction.commit();
  return new Promise((resolve) => (transaction.oncomplete = () => resolve()));
}

/**
 * Does all of `work` or nothing of it; resolves with the results of its reads. Throws DOMException QuotaExceededError if there is no room,
 * TimeoutError if the device does not answer.
 */
async function transact<T extends unknown[]>(
  mode: IDBTransactionMode,
  work: (items: IDBObjectStore, bytes: IDBObjectStore) => Requests<T>,
): Promise<T> {
  const attempt = async (): Promise<T> => {
    const transaction = (await open()).transaction(['items', 'bytes'], mode);
    const requests = work(transaction.objectStore('items'), transaction.objectStore('bytes'));
    const broken = new Promise<never>((_, reject) => {
      transaction.onerror = ({ target }) => reject((target as IDBRequest).error as DOMException);
      transaction.onabort = () => reject(transaction.error ?? new DOMException('ended', 'AbortError'));
    });
    return Promise.race([broken, mode === 'readonly' ? read(requests) : write(transaction).then(() => [] as unknown[] as T)]);
  };
  for (let isFirst = true; ; isFirst = false) {
    try {
      const done = await within(ANSWER_MS, attempt(), null);
      if (done) return done;
      throw new DOMException('no answer', 'TimeoutError');
    } catch (error) {
      const { name } = error as DOMException;
      // Safari loses its connection while the page sleeps.
      if (name !== 'QuotaExceededError') database = null;
      if (!isFirst || name === 'QuotaExceededError' || name === 'TimeoutError') throw error;
    }
  }
}

/** Reads all rows, and the ids of all kept bytes. */
export const all = () =>
  transact<[Descriptor[], string[]]>('readonly', (items, bytes) => [items.getAll(), bytes.getAllKeys() as IDBRequest<string[]>]);

/** Writes rows, and removes the bytes of these ids. */
export const put = (rows: readonly Descriptor[], spent: readonly string[] = []) =>
  transact('readwrite', (items, bytes) => {
    const written: IDBRequest[] = rows.map((row) => items.put(row));
    return written.concat(spent.map((id) => bytes.delete(id)));
  });

/** Removes rows with their bytes. */
export const remove = (ids: Iterable<string>) =>
  transact('readwrite', (items, bytes) => [...ids].flatMap((id) => [items.delete(id), bytes.delete(id)]));

/**
 * Keeps bytes. Throws in a private window of Firefox or Safari, whose database ends with it: the page must not promise that the upload goes
 * on.
 */
export async function putBytes(id: string, bytes: ArrayBuffer): Promise<void> {
  try {
    await navigator.storage.getDirectory();
  } catch (error) {
    // Firefox and Safari refuse so. Other errors only say that the browser has no private file system.
    if (/^(Security|Unknown)Error$/.test((error as Error).name)) throw error;
  }
  await transact('readwrite', (_, kept) => [kept.put({ id, bytes } satisfies StoredBytes)]);
}

export async function bytesOf(id: string): Promise<ArrayBuffer | null> {
  const [kept] = await transact<[StoredBytes | undefined]>('readonly', (_, bytes) => [bytes.get(id)]);
  return kept?.bytes ?? null;
}

export const removeBytes = (id: string) => transact('readwrite', (_, bytes) => [bytes.delete(id)]);

import type { Failure } from '../attempt.ts';

/** What outlives the page of a chosen file. Its bytes lie apart (bytes.ts); never a File or Blob, which iOS gives back empty. */
export interface Descriptor {
  id: string;
  /** The event's code. */
  event: string;
  name: string;
  type: string;
  /** Bytes. */
  size: number;
  modified: number;
  /** Place in the order of sending. */
  place: number;
  /** By this device's clock, ms since 1970. */
  addedAt: number;
  state: 'waiting' | 'stored' | 'refused';
  failure: Failure | null;
  /** The guest agreed to its sending, and did not take that back. */
  released: boolean;
  key: string;
  sha256: string | null;
}

/** Bytes where the browser has no private file system. */
export interface KeptBytes {
  id: string;
  event: string;
  bytes: ArrayBuffer;
}

type Store = 'items' | 'bytes';

let database: Promise<IDBDatabase> | null = null;

function open(): Promise<IDBDatabase> {
  database ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('uploads', 1);
    request.onupgradeneeded = () => {
      for (const store of ['items', 'bytes']) request.result.createObjectStore(store, { keyPath: 'id' }).createIndex('event', 'event');
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

/** Does one thing with a store; resolves once it is durable. Throws DOMException (QuotaExceededError where there is no room). */
async function within<T>(name: Store, mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const attempt = async (): Promise<T> => {
    const transaction = (await open()).transaction(name, mode);
    const request = work(transaction.objectStore(name));
    // At once: what a page leaves open when the browser freezes it keeps every later page of WebKit waiting.
    transaction.commit();
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject((transaction.error ?? request.error) as DOMException);
    });
  };
  try {
    return await attempt();
  } catch (error) {
    if ((error as DOMException).name === 'QuotaExceededError') throw error;
    // Safari loses its connection while the page sleeps.
    database = null;
    return attempt();
  }
}

export const put = (name: Store, value: Descriptor | KeptBytes) => within(name, 'readwrite', (store) => store.put(value));

export const remove = (name: Store, id: string) => within(name, 'readwrite', (store) => store.delete(id));

export const bytesOf = (id: string) => within('bytes', 'readonly', (store) => store.get(id) as IDBRequest<KeptBytes | undefined>);

export const bytesOfEvent = (event: string) =>
  within('bytes', 'readonly', (store) => store.index('event').getAllKeys(event) as IDBRequest<string[]>);

export const descriptors = () => within('items', 'readonly', (store) => store.getAll() as IDBRequest<Descriptor[]>);

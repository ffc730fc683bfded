/** Work that is kept between visits, without its large parts. */
export interface KeptWork {
  id: string;
  title: string;
  /** Milliseconds since 1970. */
  saved: number;
  /** The view, small. */
  picture?: Blob;
  /** Number of results. */
  results: number;
  /** Title of the job that ran. */
  running?: string;
  /** What was opened: its name and size, to know it again. */
  name: string;
  bytes: number;
  /** Whether what was opened is kept too; otherwise it has to be opened again. */
  whole: boolean;
  /** Whether it was only looked at: opened again, the same file takes its place. */
  untouched?: boolean;
  /** By the names of `keptOf`. */
  state: Record<string, unknown>;
}

/** Its large parts, as sessions: what was opened, and what was made of it. */
export interface WorkParts {
  content?: Blob;
  results?: Blob;
}

/** Where work is kept. Every call may reject: storage can be full or denied. */
export interface WorkStore {
  /** Newest first. */
  all(): Promise<KeptWork[]>;
  /** Adds or replaces; parts that are not given stay. */
  put(work: KeptWork, parts: WorkParts): Promise<void>;
  parts(id: string): Promise<WorkParts>;
  remove(id: string): Promise<void>;
}

const DATABASE = 'pliant studio';
const VERSION = 1;
const PARTS = ['content', 'results'] as const;
const STORES = ['work', ...PARTS];

/** The store of this browser, for this address. */
export function browserStore(): WorkStore {
  let opened: Promise<IDBDatabase> | undefined;
  const database = () => {
    opened ??= open();
    // Another try may be allowed.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  /** Resolves when everything that `act` asks for is done, to what its request found. */
  const run = async <T>(
    mode: IDBTransactionMode,
    act: (store: (name: string) => IDBObjectStore) => IDBRequest<T> | undefined,
  ): Promise<T | undefined> => {
    const transaction = (await database()).transaction(STORES, mode);
    return new Promise((resolve, reject) => {
      let request: IDBRequest<T> | undefined;
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('the browser stopped it'));
      try {
        request = act((name) => transaction.objectStore(name));
      } catch (error) {
        transaction.abort();
        reject(error);
      }
    });
  };
  return {
    async all() {
      const found = (await run('readonly', (store) => store('work').getAll() as IDBRequest<KeptWork[]>)) ?? [];
      return found.sort((a, b) => b.saved - a.saved);
    },
    async put(work, parts) {
      await run('readwrite', (store) => {
        for (const part of PARTS) if (parts[part]) store(part).put(parts[part], work.id);
        return store('work').put(work);
      });
    },
    async parts(id) {
      const [content, results] = await Promise.all(
        PARTS.map((part) => run('readonly', (store) => store(part).get(id) as IDBRequest<Blob | undefined>)),
      );
      return { content, results };
    },
    async remove(id) {
      await run('readwrite', (store) => {
        for (const name of STORES) store(name).delete(id);
        return undefined;
      });
    },
  };
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('work', { keyPath: 'id' });
      for (const part of PARTS) request.result.createObjectStore(part);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('another page of the studio is of another version'));
  });
}

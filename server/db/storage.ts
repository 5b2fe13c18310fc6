import { accessSync, constants, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { DomainError } from '../../shared/errors.ts';
import type { StorageProblem } from '../../shared/schemas/health.ts';
import { damageOf, RETRY_AFTER_S } from './failures.ts';

/** How often the file is looked at, in milliseconds. */
const LOOK_EVERY_MS = 5_000;
/** Looking through the file begins when whoever came back after a start has been served, in milliseconds. */
const CHECK_AFTER_MS = 2_000;
/** Less free space than this is a problem, in bytes; on a small disk less than this share of it. */
const FREE_BYTES = 50_000_000;
const FREE_SHARE = 0.05;

/** The file under the server, as it is found from outside: SQLite itself goes on in a file that nobody will ever see again. */
export interface Storage {
  /** Looks now. @returns what is wrong, null for nothing */
  look: () => Promise<StorageProblem | null>;
  /** @throws DomainError server.storageLost when the file is no longer the one that was opened, server.storageDamaged */
  assertWritable: () => void;
  /**
   * Looks through the whole file once, beside what goes on. Into one that is damaged nothing is written any more.
   * @returns a function that stops it
   */
  check: () => () => void;
  /** Looks every few seconds and logs what changes. @returns a function that stops it */
  watch: () => () => void;
}

export interface StorageOptions {
  everyMs?: number;
  /** Free and total bytes of the disk with this folder. */
  space?: (folder: string) => Promise<{ free: number; total: number }>;
}

/** A database that a server keeps looks after itself. */
export const noStorage: Storage = { look: async () => null, assertWritable: () => {}, check: () => () => {}, watch: () => () => {} };

/** Watches a database file from now on: it is the right one, and so is the log beside it. */
export function createStorage(file: string, log: Logger, { everyMs = LOOK_EVERY_MS, space = spaceOf }: StorageOptions = {}): Storage {
  const opened = [file, `${file}-wal`]
    .map((each) => ({ path: each, identity: identityOf(each) }))
    .filter(({ identity }) => identity !== null);
  const isSame = (): boolean => opened.every(({ path, identity }) => identityOf(path) === identity);

  let isDamaged = false;

  const look = async (): Promise<StorageProblem | null> => {
    if (!isSame()) return 'server.storageLost';
    if (isDamaged) return 'server.storageDamaged';
    if (!isWritable(file)) return 'server.storageReadOnly';
    const { free, total } = await space(path.dirname(file));
    return isFullDisk({ free, total }) ? 'server.storageFull' : null;
  };

  return {
    look,
    assertWritable: () => {
      if (!isSame()) throw new DomainError('server.storageLost', { seconds: RETRY_AFTER_S });
      if (isDamaged) throw new DomainError('server.storageDamaged', { seconds: RETRY_AFTER_S });
    },
    check: () => {
      let thread: Worker | null = null;
      const timer = setTimeout(() => {
        thread = new Worker(new URL('check-file.ts', import.meta.url), { workerData: file });
        thread.on('message', (found: string | null) => {
          if (found === null) return;
          isDamaged = true;
          log.error({ found, file }, damageOf(file));
        });
        thread.on('error', (error) => log.error({ err: error, file }, 'the database file could not be checked'));
      }, CHECK_AFTER_MS);
      return () => {
        clearTimeout(timer);
        void thread?.terminate();
      };
    },
    watch: () => {
      let last: StorageProblem | null = null;
      const timer = setInterval(async () => {
        const problem = await look().catch((): StorageProblem => 'server.storageLost');
        if (problem === last) return;
        last = problem;
        if (problem) log.error({ problem, file }, 'the database file has a problem');
        else log.info({ file }, 'the database file is OK again');
      }, everyMs);
      return () => clearInterval(timer);
    },
  };
}

/** Whether a disk has so little free space that a write may find none, in bytes. */
export const isFullDisk = ({ free, total }: { free: number; total: number }): boolean => free < Math.min(FREE_BYTES, total * FREE_SHARE);

/** Which file a name stands for; null for none. */
function identityOf(file: string): string | null {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev}.${ino}`;
  } catch {
    return null;
  }
}

function isWritable(file: string): boolean {
  try {
    for (const each of [file, path.dirname(file)]) accessSync(each, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Free and total bytes of the disk with a folder. */
async function spaceOf(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, total: blocks * bsize };
}

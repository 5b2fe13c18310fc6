import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { SystemServer } from '../../../shared/schemas/system.ts';
import type { Env } from '../../env.ts';
import type { Db, Dialect, Tx } from '../database.ts';
import type { WriteQueue } from '../write-queue.ts';

/** Settings that must be equal on all servers of a database. */
const COMPARED = [
  'SS_TIME_ZONE',
  'SS_HOUR',
  'HORIZON_DAYS',
  'GUILD_NAME',
  'BOARD_VISIBILITY',
  'CHARACTER_CHECK',
  'CHARACTER_API_URL',
  'ALLOW_PRIVATE_DESTINATIONS',
  'ARCHIVE_AFTER_DAYS',
  'ACTIVITY_KEPT_DAYS',
  'UNDO_KEPT_DAYS',
  'BACKUP_HOURS',
  'BACKUPS_KEPT',
] as const satisfies readonly (keyof Env)[];

/** With PostgreSQL, how often a server tells the others that it runs, in ms. */
export const ANNOUNCE_EVERY_MS = 10_000;
/** A server that was not seen for this long has stopped, in ms: one that was killed must not keep others from running jobs. */
const STOPPED_AFTER_MS = 3 * ANNOUNCE_EVERY_MS;
/** Delete the row of a stopped server after this long, in ms. */
const KEPT_MS = 86_400_000;

/** The rows of running servers, the one that started first first. @param own the id of a server that runs however old its row is */
async function runningServers(db: Db | Tx, now: Date, own?: string) {
  const rows = await db
    .selectFrom('servers')
    .selectAll()
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  // Use the absolute difference: the clock of a stopped server may have been ahead.
  return rows.filter(
    (row) => row.id === own || Math.abs(now.getTime() - Date.parse(row.seen_at)) < STOPPED_AFTER_MS,
  );
}

/** Whether more than one server runs on this database. */
export const anyOtherServer = async (db: Db | Tx, now: Date): Promise<boolean> =>
  (await runningServers(db, now)).length > 1;

/** The servers that share a database. */
export interface Peers {
  /**
   * The settings that differ from those of the server that started first, empty if all are equal. A server that differs leaves jobs,
   * the board's date and all deadlines but those of holds to the others.
   */
  differing: () => readonly string[];
  /** Stores that this server runs, and compares its settings with those of the others. */
  announce: () => Promise<void>;
  /** Compares the settings, without a write. */
  compare: () => Promise<void>;
  /** Running servers, oldest first. */
  list: () => Promise<SystemServer[]>;
  /** Tells the others that this server stops. */
  leave: () => Promise<void>;
}

interface Sharing {
  env: Env;
  db: Db;
  dialect: Dialect;
  writes: Pick<WriteQueue, 'transaction'>;
  now: () => Date;
  build: () => string | null;
  log: Pick<Logger, 'error' | 'info'>;
}

export function createPeers({ env, db, dialect, writes, now, build, log }: Sharing): Peers {
  const id = randomUUID();
  const started_at = now().toISOString();
  const settings = JSON.stringify(
    Object.fromEntries(COMPARED.map((name) => [name, env[name] ?? null])),
  );
  let differing: readonly string[] = [];

  const list = async (): Promise<SystemServer[]> => {
    const running = await runningServers(db, now(), id);
    const first = running[0]?.settings ?? settings;
    return running.map((row) => ({
      id: row.id,
      started_at: row.started_at,
      seen_at: row.seen_at,
      build: row.build,
      is_this: row.id === id,
      differing: differencesOf(first, row.settings),
    }));
  };

  const compare = async (): Promise<void> => {
    const before = differing.join(', ');
    differing = (await list()).find(({ is_this }) => is_this)?.differing ?? [];
    const after = differing.join(', ');
    if (after === before) return;
    if (after === '') log.info('the settings are equal to those of the other servers again');
    else
      log.error(
        { settings: after },
        `settings differ from those of the server that started first: ${after}. This server runs no jobs`,
      );
  };

  return {
    differing: () => differing,
    announce: async () => {
      const seen_at = now().toISOString();
      const row = { started_at, seen_at, build: build(), settings };
      await writes.transaction(async (tx) => {
        await tx
          .insertInto('servers')
          .values({ id, ...row })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
          .execute();
        const stopped = tx.deleteFrom('servers');
        // Only one server at a time can open a SQLite file, so the others have stopped.
        if (dialect === 'sqlite') await stopped.where('id', '!=', id).execute();
        else
          await stopped
            .where('seen_at', '<', new Date(Date.parse(seen_at) - KEPT_MS).toISOString())
            .execute();
      });
      await compare();
    },
    compare,
    list,
    leave: async () => {
      // Not through the queue, which waits for other servers' writes. With SQLite the next server deletes the row.
      if (dialect === 'postgres') await db.deleteFrom('servers').where('id', '=', id).execute();
    },
  };
}

/** Compares only settings that both servers know: they may be of different versions. */
function differencesOf(one: string, other: string): string[] {
  const known: Record<string, unknown> = JSON.parse(one);
  const own: Record<string, unknown> = JSON.parse(other);
  return COMPARED.filter((name) => name in known && name in own && known[name] !== own[name]);
}

import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { SystemServer } from '../../shared/schemas/system.ts';
import type { Db } from '../db/open.ts';
import type { WriteQueue } from '../db/write-queue.ts';
import type { Env } from '../env.ts';
import { BEAT_EVERY_MS } from './heartbeats.ts';

/** What every server on a database must be told alike: it decides who may do what, and what is deleted when. */
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

/** A server that was not seen for so long, in milliseconds, is gone. */
const GONE_AFTER_MS = 2.5 * BEAT_EVERY_MS;
/** How long a server that is gone stays in the list, in milliseconds. */
const KEPT_MS = 86_400_000;

/** The servers that share a database. */
export interface Peers {
  /**
   * The settings in which this server differs from the one that started first; such a server leaves jobs, deadlines and the
   * board's day to the others. Empty: in none.
   */
  differing: () => readonly string[];
  /** Says that this server is there, and compares its settings with those of the others. */
  announce: () => Promise<void>;
  /** Those that are there now, the one that started first first. */
  list: () => Promise<SystemServer[]>;
  /** This server stops. */
  leave: () => Promise<void>;
}

interface Sharing {
  env: Env;
  db: Db;
  writes: Pick<WriteQueue, 'transaction'>;
  now: () => Date;
  build: () => string | null;
  log: Pick<Logger, 'error' | 'info'>;
}

export function createPeers({ env, db, writes, now, build, log }: Sharing): Peers {
  const id = randomUUID();
  const started_at = now().toISOString();
  const settings = JSON.stringify(Object.fromEntries(COMPARED.map((name) => [name, env[name] ?? null])));
  let differing: readonly string[] = [];

  const list = async (): Promise<SystemServer[]> => {
    const time = now().getTime();
    const rows = await db.selectFrom('servers').selectAll().orderBy('started_at').orderBy('id').execute();
    // One that was seen far ahead of now was seen by a clock that was wrong.
    const here = rows.filter((row) => Math.abs(time - Date.parse(row.seen_at)) < GONE_AFTER_MS);
    const first = here[0]?.settings ?? settings;
    return here.map((row) => ({
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
    if (after === '') log.info('the settings agree with those of the other servers again');
    else log.error({ settings: after }, `${after}: not the same as on the server that started first. No jobs are run here`);
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
        await tx
          .deleteFrom('servers')
          .where('seen_at', '<', new Date(Date.parse(seen_at) - KEPT_MS).toISOString())
          .execute();
      });
      await compare();
    },
    list,
    leave: async () => {
      await writes.transaction((tx) => tx.deleteFrom('servers').where('id', '=', id).execute());
    },
  };
}

/** The names of the settings that both know and that differ. */
function differencesOf(one: string, other: string): string[] {
  const [known, own]: Record<string, unknown>[] = [JSON.parse(one), JSON.parse(other)];
  return COMPARED.filter((name) => known && own && name in known && name in own && known[name] !== own[name]);
}

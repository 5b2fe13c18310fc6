import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { instantOf } from '../../../shared/rules/server-save.ts';
import type { System } from '../../../shared/schemas/system.ts';
import type { Peers } from '../../db/clock/peers.ts';
import type { ServerClock } from '../../db/clock/server-clock.ts';
import { serverSaveClock, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { inTime } from '../../db/promises.ts';
import { DATABASE_FILE } from '../../db/sqlite.ts';
import type { MeasureStored } from '../../db/table-sizes.ts';
import { CHOOSERS, type Metrics } from '../../http/metrics.ts';
import { notificationsPausedAt } from '../../jobs/job-store.ts';
import { newestBackup } from '../backup/backup-files.ts';
import { type BackupContext, requestedBackups } from '../backup/make-backup.ts';
import { diskOf } from './check.ts';
import { type CheckupContext, checkups } from './checkups.ts';

const PACKAGE = path.resolve(import.meta.dirname, '../../../package.json');
const VERSION = /"version": "([^"]+)"/;
/** The page is most useful while the database is slow or away, so don't wait longer for it, in milliseconds. */
const DATABASE_TIMEOUT_MS = 3_000;

export interface SystemContext extends CheckupContext, BackupContext {
  clock: Pick<ServerClock, 'deletionPaused' | 'machineAheadSeconds'>;
  peers: Pick<Peers, 'list'>;
  metrics: Pick<Metrics, 'storageBytes' | 'watchers' | 'registry'>;
  measureStored: MeasureStored;
  build: () => string | null;
}

/** For the System tab. Nothing in it takes long. */
export async function readSystem(ctx: SystemContext): Promise<System> {
  const { env, now } = ctx;
  const time = now();
  const paused = ctx.clock.deletionPaused();
  const { date, hour } = serverSaveNow(ctx);
  const [version, bytes, watching, newest, disk, servers] = await Promise.all([
    readFile(PACKAGE, 'utf8').then((text) => VERSION.exec(text)?.[1] ?? ''),
    databaseBytes(ctx),
    watcherCounts(ctx),
    newestBackup({ env, db: ctx.db, now }).catch(() => newestBackup({ env, db: null, now })),
    diskOf(path.resolve(env.DATA_DIR)).catch(() => null),
    serversOf(ctx),
  ]);
  // Shows the last sizes, and measures new ones in the background.
  void ctx.measureStored();
  return {
    version,
    build: ctx.build(),
    node: process.versions.node,
    started_at: new Date(time.getTime() - process.uptime() * 1_000).toISOString(),
    public_url: env.PUBLIC_URL ?? null,
    database: { kind: ctx.dialect, bytes, parts: await tableSizes(ctx) },
    watching,
    clock: {
      time: time.toISOString(),
      date,
      hour,
      next_server_save: instantOf(date, 24, serverSaveClock(ctx)).toISOString(),
      time_zone: env.SS_TIME_ZONE,
      machine_ahead: ctx.clock.machineAheadSeconds(),
      deletion_paused: paused && { ...paused, until: paused.until.toISOString() },
    },
    servers,
    disk: disk && { free: disk.free, total: disk.total },
    notifications: { paused_at: await notificationsPausedAt(ctx.db) },
    backup: {
      newest: newest && {
        name: newest.name,
        made_at: newest.at.toISOString(),
        bytes: newest.bytes,
        elsewhere: newest.elsewhere,
      },
      every_hours: env.BACKUP_HOURS,
      kept: env.BACKUPS_KEPT,
      ...(await requestedBackups(ctx).state()),
    },
    checkup: await checkups(ctx).state(),
  };
}

async function serversOf({ peers }: SystemContext): Promise<System['servers']> {
  let servers: System['servers'] = [];
  const ask = async (): Promise<void> => {
    servers = await peers.list();
  };
  await inTime(DATABASE_TIMEOUT_MS, ask()).catch(() => false);
  return servers;
}

async function databaseBytes({ dialect, env, db }: SystemContext): Promise<number | null> {
  if (dialect === 'sqlite') {
    const file = path.resolve(env.DATA_DIR, DATABASE_FILE);
    const sizes = await Promise.all(
      [file, `${file}-wal`].map((each) =>
        stat(each).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }
  let bytes: number | null = null;
  const ask = async (): Promise<void> => {
    const { rows } = await sql<{
      bytes: number;
    }>`select pg_database_size(current_database()) as bytes`.execute(db);
    bytes = rows[0]?.bytes ?? null;
  };
  await inTime(DATABASE_TIMEOUT_MS, ask()).catch(() => false);
  return bytes;
}

async function tableSizes({ metrics }: SystemContext): Promise<Record<string, number>> {
  const { values } = await metrics.storageBytes.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.table), value]));
}

async function watcherCounts({ metrics }: SystemContext): Promise<System['watching']> {
  const { values } = await metrics.watchers.get();
  const of = (isCounted: (role: string) => boolean): number =>
    values
      .filter(({ labels }) => isCounted(String(labels.role)))
      .reduce((sum, { value }) => sum + value, 0);
  const members = of((role) => role === 'members');
  const choosing = await metrics.registry.getSingleMetric(CHOOSERS)?.get();
  return { members, admins: of(() => true) - members, choosing: choosing?.values[0]?.value ?? 0 };
}

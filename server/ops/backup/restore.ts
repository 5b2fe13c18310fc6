import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { isSetup } from '../../board/records/stored-setup.ts';
import type { Db } from '../../db/database.ts';
import { StartError } from '../../db/errors.ts';
import { migrateTo } from '../../db/migrate.ts';
import type { Env } from '../../env.ts';
import { pauseNotifications } from '../../notifications/pause.ts';
import { FILLED_BY_MIGRATIONS, type Header } from './archive-format.ts';
import { type ArchivePart, readArchive } from './archive-reader.ts';
import type { Progress } from './progress.ts';
import type { Target } from './restore-target.ts';

export interface RestoreOptions {
  env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>;
  log: Logger;
  /** The kinds of jobs that notify: those of the original are not sent again. */
  notifyingJobs: readonly string[];
  progress?: Progress;
  now?: () => Date;
}

/**
 * Restores an archive into an empty database of either kind, and migrates it.
 * @returns the number of rows
 * @throws StartError in one line; then nothing is written
 */
export async function restoreArchive(
  file: string,
  { env, log, notifyingJobs, progress, now = () => new Date() }: RestoreOptions,
): Promise<number> {
  // Checks the whole archive before anything is written.
  let rows = 0;
  for await (const found of readArchive(file)) if ('rows' in found) rows += found.rows.length;
  const work = (target: Target): Promise<void> =>
    load(target, readArchive(file), { now, notifyingJobs, progress });
  if (env.DATABASE_URL) {
    const { restorePostgres } = await import('./restore-postgres.ts');
    await restorePostgres(env.DATABASE_URL, log, work);
  } else {
    const { restoreSqlite } = await import('./restore-sqlite.ts');
    await restoreSqlite(env.DATA_DIR, log, work);
  }
  return rows;
}

async function load(
  target: Target,
  archive: AsyncIterable<ArchivePart>,
  {
    now,
    notifyingJobs,
    progress,
  }: Pick<Required<RestoreOptions>, 'now' | 'notifyingJobs'> & { progress: Progress | undefined },
): Promise<void> {
  const { db, dialect } = target;
  let header: Header | null = null;
  let own: ReadonlyMap<string, readonly string[]> = new Map();
  let into: { table: string; columns: readonly string[] } | null = null;
  let done = 0;
  let total = 0;
  for await (const found of archive) {
    if ('header' in found) {
      header = found.header;
      total = Object.values(header.tables).reduce((sum, rows) => sum + rows, 0);
      await migrateTo(db, dialect, { name: header.schema.at(-1) });
      own = await target.columns();
      assertSame('tables of the archive', Object.keys(header.tables), [...own.keys()]);
      await target.begin([...own.keys()].filter((name) => FILLED_BY_MIGRATIONS.has(name)));
    } else if ('table' in found) {
      into = found.table;
      assertSame(`columns of ${into.table}`, into.columns, own.get(into.table) ?? []);
    } else if (into) {
      await target.insert({ ...into, rows: found.rows });
      done += found.rows.length;
      progress?.(done, total);
    }
  }
  for (const [table, id] of Object.entries(header?.sequences ?? {})) {
    if (!own.has(table))
      throw new StartError(
        `The archive cannot be restored: it counts ids of ${table}, which is no table.`,
      );
    await target.continueIdsAfter(table, id);
  }
  await target.end();
  await migrateTo(db, dialect);
  await assertComplete(db);
  await pauseNotifications(db, { now: now(), notifyingJobs });
  // A new history: clients with a clock of the old one get a snapshot.
  await db
    .updateTable('clock')
    .set({ epoch: randomBytes(8).toString('hex') })
    .execute();
}

/**
 * The rows that migrations make, which the program reads without asking whether they exist.
 * @throws StartError if one is missing, or makes no sense
 */
async function assertComplete(db: Db): Promise<void> {
  const clock = await db.selectFrom('clock').select('value').where('id', '=', 1).executeTakeFirst();
  const config = await db
    .selectFrom('config')
    .select('setup')
    .where('id', '=', 1)
    .executeTakeFirst();
  const address = await db
    .selectFrom('secrets')
    .select('name')
    .where('name', '=', 'address')
    .executeTakeFirst();
  const missing = Object.entries({ clock, config, secrets: address }).find(
    ([, row]) => row === undefined,
  );
  if (missing)
    throw new StartError(
      `The archive cannot be restored: its table ${missing[0]} lacks a row that every board has.`,
    );
  const last = await db
    .selectFrom('changes')
    .select(({ fn }) => fn.max('clock').as('clock'))
    .executeTakeFirst();
  if ((last?.clock ?? 0) > (clock?.value ?? 0))
    throw new StartError('The archive cannot be restored: its clock is behind its changes.');
  if (!isSetup(config?.setup ?? ''))
    throw new StartError(
      'The archive cannot be restored: its table config has a setup that cannot be read.',
    );
}

/** No version of this program writes other tables or columns. */
function assertSame(what: string, found: readonly string[], expected: readonly string[]): void {
  const has = new Set(found);
  const should = new Set(expected);
  const missing = expected.find((name) => !has.has(name));
  const unknown = found.find((name) => !should.has(name));
  const twice = has.size < found.length;
  if (missing === undefined && unknown === undefined && !twice) return;
  const wrong = missing === undefined ? (unknown ?? 'one') : missing;
  throw new StartError(
    `The archive cannot be restored: of the ${what}, ${wrong} ${missing === undefined ? 'should not be there' : 'is missing'}.`,
  );
}

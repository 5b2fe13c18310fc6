import { stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { timeOf } from '../../db/clock/server-clock.ts';
import type { OpenDatabase } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { createWriteQueue } from '../../db/write-queue.ts';
import { readSettings } from '../../env.ts';
import { startLines } from '../start-line.ts';
import { writeVerifiedArchive } from './archive-writer.ts';
import { backupFolder, fileNameAt } from './backup-files.ts';
import { printProgress } from './progress.ts';
import { addRecord } from './records.ts';
import { type RestoreOptions, restoreArchive } from './restore.ts';

const USAGE = `npm run backup              writes a backup of the board to DATA_DIR/backups
npm run backup -- FILE      writes it to this file
npm run restore -- FILE     restores it into an empty database

Both use the same DATA_DIR or DATABASE_URL as the server. A backup can be made while the server runs. It contains access keys.
`;

interface Output {
  isTTY?: boolean;
  write: (text: string) => unknown;
}

export interface BackupCommand extends Pick<RestoreOptions, 'notifyingJobs'> {
  args: string[];
  env: NodeJS.ProcessEnv;
  settingsFile?: string | null;
  out: Output;
  err: Output;
  signal?: AbortSignal;
  /** For tests. */
  now?: () => Date;
}

async function perform({
  args,
  env: variables,
  settingsFile,
  out,
  err,
  signal,
  notifyingJobs,
  now: given_time,
}: BackupCommand): Promise<number> {
  const options = {
    help: { type: 'boolean', short: 'h' },
    server: { type: 'boolean', default: false },
  } as const;
  const { positionals, values } = parseArgs({ args, allowPositionals: true, options });
  if (values.help) {
    out.write(USAGE);
    return 0;
  }
  const [command, named, ...rest] = positionals;
  const isKnown = command === 'backup' || (command === 'restore' && named !== undefined);
  if (!isKnown || rest.length > 0) {
    err.write(USAGE);
    return 1;
  }
  const env = readSettings(variables, settingsFile);
  const log = pino({ level: 'silent' });
  // npm changes the folder; the user's is in INIT_CWD.
  const given = named === undefined ? null : path.resolve(variables.INIT_CWD ?? '.', named);
  if (command === 'restore') {
    const file = given ?? '';
    const rows = await restoreArchive(file, {
      env,
      log,
      notifyingJobs,
      progress: printProgress('Restoring', err),
    });
    out.write(
      `Restored ${rows} rows from ${file}.\n${startLines(env)}Notifications are paused. An owner can resume them on the System page, or run npm run admin resume-notifications.\n`,
    );
    return 0;
  }
  const database = await openDatabase(env, log, { beside: true });
  try {
    // The servers rotate backups by the database's time.
    const now = given_time ?? (await timeOf(database, log));
    const file = given ?? path.join(backupFolder(env), fileNameAt(now()));
    const rows = await writeVerifiedArchive(database, file, {
      now,
      progress: printProgress('Backing up', err, { often: values.server }),
      ...(signal ? { signal } : {}),
    });
    // The server records the backups that it starts.
    if (!values.server) await recordByHand(database, file, now);
    out.write(
      `Backup written: ${file} (${rows} rows). It contains access keys: keep it where only admins can read it.\n`,
    );
  } finally {
    await database.close();
  }
  return 0;
}

/** For the servers. A database of an older version may have no such table: that is no failure. */
async function recordByHand(
  { writer }: OpenDatabase,
  file: string,
  now: () => Date,
): Promise<void> {
  const writes = createWriteQueue(writer);
  const { size } = await stat(file);
  const record = { occasion: 'by_hand', file, bytes: size, started_at: now() } as const;
  await addRecord({ writes, now }, record).catch(() => {});
}

/** @returns the exit code. Errors are printed in one line. */
export async function backupCommand(command: BackupCommand): Promise<number> {
  try {
    return await perform(command);
  } catch (error) {
    const line = command.signal?.aborted
      ? 'Interrupted; nothing was written.'
      : error instanceof Error
        ? error.message
        : String(error);
    command.err.write(`${line.split('\n', 1)[0]}\n`);
    return 1;
  }
}

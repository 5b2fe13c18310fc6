import type { Logger } from 'pino';
import type { UndoContext } from './activity/undo.ts';
import { createAuthenticator, type SignInAuthenticator } from './auth/authenticate.ts';
import {
  createPasswordGuard,
  type PasswordGuard,
  type ScryptCost,
  WRONG_LOGINS,
} from './auth/passwords.ts';
import { createBackOff } from './db/back-off.ts';
import {
  assumedHeartbeats,
  continuePause,
  createHeartbeats,
  newestStoredTime,
} from './db/clock/heartbeats.ts';
import { createPeers, type Peers } from './db/clock/peers.ts';
import {
  createServerClock,
  databaseTimeOf,
  givenClock,
  type MachineClock,
  type ReadDatabaseTime,
  type ServerClock,
} from './db/clock/server-clock.ts';
import type { OpenDatabase, Reading } from './db/database.ts';
import {
  createFileMonitor,
  type FileMonitor,
  type FileMonitorOptions,
  noFileMonitor,
} from './db/database-file.ts';
import { migrate } from './db/migrate.ts';
import { openDatabase } from './db/open-database.ts';
import { inTime } from './db/promises.ts';
import { createMeasureStored, type MeasureStored } from './db/table-sizes.ts';
import { createWriteQueue, type WriteQueue, type WriteQueueOptions } from './db/write-queue.ts';
import type { Env } from './env.ts';
import { composeFeatures, type Feature } from './feature.ts';
import { features as allFeatures } from './features.ts';
import { type AddressHash, createAddressHash } from './http/client-address.ts';
import { createMetrics, type Metrics, renderMetrics } from './http/metrics.ts';
import { createWrongTries, WRONG_KEYS } from './http/rate-limits.ts';
import { createBuildName } from './http/static-files.ts';
import { type ChangeBus, createBus, publishTo } from './live/bus.ts';
import type { OwnSources } from './live/own-records.ts';
import { createPresenceRelay, type PresenceRelay } from './live/presence-relay.ts';
import { createReadModel, type ReadModel } from './live/read-model.ts';
import { recordSourcesOf } from './live/record-kinds.ts';
import type { NoticeContext } from './notifications/notices/medium.ts';
import { createPost, type Post } from './notifications/outbound/post.ts';
import { backUpBefore, type UnrecordedBackup, wayBackFrom } from './ops/backup/before-migration.ts';
import { addRecord } from './ops/backup/records.ts';

/**
 * The base that all features work with, and their parts together. Operations require only `Reading` or `Writing`. What one server keeps in
 * memory for a feature, the feature declares (`defineMemory`).
 */
export interface Context extends NoticeContext, UndoContext {
  log: Logger;
  features: readonly Feature<Context>[];
  /** The queue that all writes wait in. */
  writes: WriteQueue;
  /** Watches the database file and its disk. */
  fileMonitor: FileMonitor;
  bus: ChangeBus;
  /** The other servers on this database. */
  peers: Peers;
  readModel: ReadModel;
  /** Reads what members see only their own of. */
  ownRecords: OwnSources;
  /** Exchanges presence between servers; never stored. */
  presence: PresenceRelay;
  metrics: Metrics;
  authenticator: SignInAuthenticator;
  passwords: PasswordGuard;
  hashAddress: AddressHash;
  /** The only way to send to addresses that users entered. */
  post: Post;
  measureStored: MeasureStored;
  /** The text of /metrics. */
  renderMetrics: () => Promise<string>;
  /** The build of the client that a browser would be given now; null if none is built. */
  build: () => string | null;
  clock: ServerClock;
  /**
   * Waits for writes under way, for `CLOSE_WITHIN_MS` at most, and closes all connections.
   * @throws Error if they did not end in time
   */
  close: () => Promise<void>;
}

/** How long writes under way may take when the server closes, in milliseconds. */
const CLOSE_WITHIN_MS = 3_000;

export interface ContextOptions {
  env: Env;
  log: Logger;
  /** For tests: the time, instead of clocks that are measured. */
  now?: () => Date;
  /** The clocks of this machine, for tests of how they may be wrong. */
  machine?: MachineClock;
  readDatabaseTime?: ReadDatabaseTime;
  /** For tests. */
  fileMonitor?: FileMonitorOptions;
  queue?: WriteQueueOptions;
  build?: () => string | null;
  /** Instead of the database that the settings name; closed with the context. */
  database?: OpenDatabase;
  metrics?: Metrics;
  post?: Post;
  /** For tests: what a password's hash costs. */
  passwordCost?: ScryptCost;
  /** For tests: the server without some. */
  features?: readonly Feature<Context>[];
}

/**
 * Opens the database, brings its schema up to date and starts listening for changes.
 * @throws StartError with one line for the operator
 */
export async function createContext({
  env,
  log,
  machine,
  fileMonitor: monitoring,
  queue,
  metrics = createMetrics(),
  build = createBuildName(),
  post = createPost(env),
  features = allFeatures,
  ...given
}: ContextOptions): Promise<Context> {
  const database = given.database ?? (await openDatabase(env, log));
  try {
    const readDatabaseTime =
      given.readDatabaseTime ?? databaseTimeOf(database.db, database.dialect);
    const clock = given.now
      ? givenClock(given.now)
      : await createServerClock({ log, readDatabaseTime, ...(machine ? { machine } : {}) });
    const { now } = clock;
    const heartbeats = given.now ? assumedHeartbeats : createHeartbeats(clock);
    const unrecorded: UnrecordedBackup[] = [];
    await migrate(database, {
      before: async (migration) => {
        const backup = await backUpBefore(database, migration, { env, log, now, clock });
        if (backup) unrecorded.push(backup);
      },
      wayBack: (unknown) => wayBackFrom(unknown, env),
    });
    clock.compareWith(await newestStoredTime(database.db));
    await continuePause(database.db, clock);
    const fileMonitor =
      database.file === null
        ? noFileMonitor
        : createFileMonitor(database.file, log, { checkpoint: database.checkpoint, ...monitoring });
    const writes = createWriteQueue(database.writer, {
      longWriter: database.longWriter,
      isShared: database.dialect === 'postgres',
      assertWritable: fileMonitor.assertWritable,
      ...queue,
    });
    const bus = await createBus(database.db, database.dialect, { log, metrics });
    const presence = createPresenceRelay();
    const unlisten = env.DATABASE_URL
      ? await listen(env.DATABASE_URL, { bus, presence, clock, log })
      : async () => {};
    // Listening, it looks once more: the next statement has the same connection, where it would have opened another one meanwhile.
    await bus.idle();
    const { db, longReads, dialect } = database;
    const hashAddress = createAddressHash(database.db);
    const counting = { db: database.db, writes, hashAddress, now };
    const measureStored = createMeasureStored({ longReads, dialect, metrics, log, now });
    const peers = createPeers({ env, db, dialect, writes, now, build, log });
    for (const backup of unrecorded)
      await addRecord({ writes, now }, { ...backup, occasion: 'before' });
    const parts = composeFeatures(features);
    const { configFlags, readMissed } = parts;
    const reading: Reading = {
      env,
      now,
      dialect,
      db,
      longReads,
      configFlags,
      readMissed,
      memory: new Map(),
    };
    const ctx: Context = {
      ...reading,
      ...parts,
      features,
      log,
      clock,
      build,
      writes,
      fileMonitor,
      bus,
      publish: publishTo(bus),
      heartbeats,
      backOff: createBackOff(log),
      isInCharge: () => peers.differing().length === 0,
      peers,
      readModel: createReadModel({ ...reading, bus, sources: recordSourcesOf(features) }),
      presence,
      post,
      metrics,
      authenticator: createAuthenticator({
        db,
        now,
        wrongKeys: createWrongTries({ ...counting, limit: WRONG_KEYS }),
        committed: bus,
      }),
      passwords: createPasswordGuard({
        wrongTries: createWrongTries({ ...counting, limit: WRONG_LOGINS }),
        ...(given.passwordCost ? { cost: given.passwordCost } : {}),
      }),
      hashAddress,
      measureStored,
      renderMetrics: () => renderMetrics(metrics, measureStored),
      close: async () => {
        await Promise.all(features.map(({ stop }) => stop?.(ctx)));
        const done = await inTime(
          CLOSE_WITHIN_MS,
          writes
            .idle()
            // If the database is away, the other servers notice that this one is gone.
            .then(() => peers.leave().catch(() => {}))
            .then(() => unlisten())
            .then(() => bus.idle()),
        );
        await database.close();
        if (!done) throw new Error('what was under way did not end in time');
      },
    };
    for (const { measure } of features) measure?.(ctx);
    return ctx;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** PostgreSQL's driver is loaded only where it is used. */
async function listen(
  url: string,
  { bus, presence, clock, log }: Pick<Context, 'bus' | 'presence' | 'clock' | 'log'>,
): Promise<() => Promise<void>> {
  const { listenToPostgres } = await import('./live/postgres-listener.ts');
  // Another database server may have taken over, with a clock of its own.
  return listenToPostgres(url, { bus, presence, log, onReconnect: () => void clock.check(true) });
}

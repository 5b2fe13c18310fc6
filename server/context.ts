import type { Logger } from 'pino';
import type { TestAnswer } from '../shared/schemas/destination.ts';
import { type CountActivity, createActivityCount } from './activity/log.ts';
import { createAuthenticator, type SignInAuthenticator } from './auth/authenticate.ts';
import {
  createPasswordGuard,
  type PasswordGuard,
  type ScryptCost,
  WRONG_LOGINS,
} from './auth/passwords.ts';
import { countStarChanges } from './board/respawns/stars.ts';
import { createStatistics, type ReadStatistics } from './board/statistics/statistics.ts';
import type { FreedHours } from './board/waitlist/freed-hours.ts';
import {
  assumedHeartbeats,
  continuePause,
  createHeartbeats,
  type Heartbeats,
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
import type { Db, Dialect, OpenDatabase } from './db/database.ts';
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
import type { Publish, WriteHook } from './db/unit-of-work.ts';
import { createWriteQueue, type WriteQueue, type WriteQueueOptions } from './db/write-queue.ts';
import type { Env } from './env.ts';
import { deadlinesOf, ownSources, RECORD_SOURCES, writeHooks } from './features.ts';
import { type AddressHash, createAddressHash } from './http/client-address.ts';
import { createMetrics, type Metrics, renderMetrics } from './http/metrics.ts';
import {
  type CodeRequests,
  countCodeRequests,
  createWrongTries,
  type Tries,
  WRONG_KEYS,
} from './http/rate-limits.ts';
import { createBuildName } from './http/static-files.ts';
import { createBackOff } from './jobs/back-off.ts';
import type { Deadlines } from './jobs/deadlines.ts';
import { createJobWaker, type JobWaker, wakeRunner } from './jobs/runner.ts';
import { type ChangeBus, createBus, publishTo } from './live/bus.ts';
import type { OwnSources } from './live/own-records.ts';
import { createPresenceRelay, type PresenceRelay } from './live/presence-relay.ts';
import { createReadModel, type ReadModel } from './live/read-model.ts';
import { type CharacterSource, sourceOf } from './members/verification/character-source.ts';
import { WRONG_CODES, WRONG_CODES_WINDOW_MS } from './notifications/discord-app/links.ts';
import { createDiscordMemory, type DiscordMemory } from './notifications/discord-app/memory.ts';
import { createPost, type Post } from './notifications/outbound/post.ts';
import { createOutbox, type Outbox } from './notifications/outbox.ts';
import { countPushTests } from './notifications/push/send.ts';
import { createVapid, type ReadVapid } from './notifications/push/web-push.ts';
import { eventListeners } from './notifications/register.ts';
import { measureBackups } from './ops/backup/backup-files.ts';
import { backUpBefore, type UnrecordedBackup, wayBackFrom } from './ops/backup/before-migration.ts';
import { createRequestedBackups, type RequestedBackups } from './ops/backup/make-backup.ts';
import { addRecord } from './ops/backup/records.ts';
import { createReportCounts, type ReportCounts } from './ops/client-errors/report.ts';
import { type Checkups, createCheckups } from './ops/doctor/checkups.ts';

/** Everything one server keeps in memory: the interfaces that folders declare, satisfied together. Operations get only what they name. */
export interface Context {
  env: Env;
  log: Logger;
  db: Db;
  /** For reads that may take long, on a worker connection. */
  longReads: Db;
  dialect: Dialect;
  /** The queue that all writes wait in. */
  writes: WriteQueue;
  /** Watches the database file and its disk. */
  fileMonitor: FileMonitor;
  bus: ChangeBus;
  /** Publishes a write's changes to this server's watchers. */
  publish: Publish;
  hooks: readonly WriteHook[];
  deadlines: Deadlines;
  freedHours: FreedHours;
  heartbeats: Heartbeats;
  /** The other servers on this database. */
  peers: Peers;
  /** Domain events for Discord, webhooks and browsers. */
  outbox: Outbox;
  readModel: ReadModel;
  /** Reads the records of a kind that members see only their own of. */
  ownRecords: OwnSources;
  /** Wakes the job runner. */
  jobs: JobWaker;
  /** Exchanges presence between servers; never stored. */
  presence: PresenceRelay;
  /** Test messages under way, by the channel's id. */
  testing: Map<number, Promise<TestAnswer>>;
  metrics: Metrics;
  authenticator: SignInAuthenticator;
  passwords: PasswordGuard;
  codeRequests: CodeRequests;
  hashAddress: AddressHash;
  /** The only way to send to addresses that users entered. */
  post: Post;
  /** The key that identifies this server to push services. */
  vapid: ReadVapid;
  /** Counts test notifications by character. */
  pushTests: Tries;
  /** Counts changes of stars by character. */
  starChanges: Tries;
  /** The Discord app, and limits of its users. */
  discord: DiscordMemory;
  /** Looks up characters in the game's data. */
  characters: CharacterSource;
  /** Verifications being stored, by character. */
  storingFound: Map<string, Promise<void>>;
  clientErrors: ReportCounts;
  countActivity: CountActivity;
  readStatistics: ReadStatistics;
  /** Health checks of the System tab. */
  checkups: Checkups;
  requestedBackups: RequestedBackups;
  measureStored: MeasureStored;
  /** The text of /metrics. */
  renderMetrics: () => Promise<string>;
  /** The build of the client that a browser would be given now; null if none is built. */
  build: () => string | null;
  clock: ServerClock;
  /** `clock.now`: the only source of times that are stored or compared. */
  now: () => Date;
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
    measureBackups({ env, db: database.db, metrics, now });
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
    const jobs = createJobWaker();
    const hashAddress = createAddressHash(database.db);
    const counting = { db: database.db, writes, hashAddress, now };
    const backOff = createBackOff(log);
    const measureStored = createMeasureStored({ longReads, dialect, metrics, log, now });
    const peers = createPeers({ env, db, dialect, writes, now, build, log });
    const checkups = createCheckups({ env, log, now, db, writes, backOff });
    const requestedBackups = createRequestedBackups({ env, log, now, clock, db, writes });
    for (const { file, bytes, started_at } of unrecorded)
      await addRecord({ writes, now }, 'before', file, bytes, started_at);
    const ctx: Context = {
      env,
      log,
      clock,
      now,
      build,
      db,
      longReads,
      dialect,
      writes,
      fileMonitor,
      bus,
      publish: publishTo(bus),
      hooks: [],
      readModel: createReadModel({
        bus,
        dialect,
        db,
        longReads,
        env,
        now,
        sources: RECORD_SOURCES,
      }),
      ownRecords: ownSources({ env, now, db, longReads, dialect }),
      ...deadlinesOf({
        env,
        heartbeats,
        backOff,
        isInCharge: () => peers.differing().length === 0,
      }),
      heartbeats,
      peers,
      outbox: createOutbox(eventListeners),
      jobs,
      presence,
      post,
      testing: new Map(),
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
      codeRequests: countCodeRequests(now),
      hashAddress,
      vapid: createVapid({ db, writes }),
      pushTests: countPushTests(),
      starChanges: countStarChanges(now),
      discord: createDiscordMemory({
        db,
        bus,
        now,
        wrongCodes: createWrongTries({
          ...counting,
          limit: WRONG_CODES,
          window_ms: WRONG_CODES_WINDOW_MS,
        }),
      }),
      characters: sourceOf({ env, now, log }),
      storingFound: new Map(),
      clientErrors: createReportCounts(now),
      countActivity: createActivityCount({ env, longReads, bus }),
      readStatistics: createStatistics({ env, now, db, longReads, dialect }),
      checkups,
      requestedBackups,
      measureStored,
      renderMetrics: () => renderMetrics(metrics, measureStored),
      close: async () => {
        await Promise.all([checkups.stop(), requestedBackups.stop()]);
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
    ctx.hooks = [...writeHooks(ctx), wakeRunner(jobs)];
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

import { z } from 'zod';
import { timestamp } from './fields.ts';

const count = z.number().int().min(0);
const params = z.record(z.string(), z.union([z.string(), z.number()]));
export type FindingParams = z.infer<typeof params>;

/** The result of one check. Its sentences are under `admin.system.findings` and `admin.system.fixes`; here they are English. */
export const checkResult = z.object({
  name: z.string(),
  state: z.enum(['ok', 'warning', 'failed']),
  finding: z.string(),
  params,
  text: z.string(),
  /** Null where all is well. */
  what_to_do: z.string().nullable(),
});
export type CheckResult = z.infer<typeof checkResult>;

/** All checks, as they were found by one run. */
const checkup = z.object({
  started_at: timestamp,
  ended_at: timestamp,
  checks: z.array(checkResult),
});

/** A run that is under way. */
const runningCheckup = z.object({
  started_at: timestamp,
  /** The current check; null: it is only starting. */
  looking_at: z.string().nullable(),
  done: count,
  of: count,
});

export const systemCheckup = z.object({
  last: checkup.nullable(),
  running: runningCheckup.nullable(),
});
export type SystemCheckup = z.infer<typeof systemCheckup>;

export const systemBackup = z.object({
  /** The newest archive of any server on this database. */
  newest: z
    .object({
      name: z.string(),
      made_at: timestamp,
      bytes: count,
      /** The other server that has the file; null: it is in the folder of the server that answers. */
      elsewhere: z.string().nullable(),
    })
    .nullable(),
  /** Hours between two that are made by the clock; 0: none is. */
  every_hours: count,
  /** How many of a kind are kept; 0: none is made by the clock. */
  kept: count,
  /** One that an owner asked for and that a server is making. */
  running: z
    .object({ started_at: timestamp, percent: z.number().int().min(0).max(100).nullable() })
    .nullable(),
  /** Why the last that was asked for was not made; null: it was, or none was asked for. */
  failure: z.object({ at: timestamp, reason: z.string() }).nullable(),
});
export type SystemBackup = z.infer<typeof systemBackup>;

/** A server that shares the database. */
const systemServer = z.object({
  id: z.string(),
  started_at: timestamp,
  seen_at: timestamp,
  build: z.string().nullable(),
  /** Whether it is the one that answers. */
  is_this: z.boolean(),
  /** Settings that differ from those of the server that started first. Where there are any, it runs no jobs. */
  differing: z.array(z.string()),
});
export type SystemServer = z.infer<typeof systemServer>;

/** Why deletion by age is paused: the clock jumped; or, at a start, the newest stored time was in the future, or more than a week ago. */
const deletionPauseReason = z.enum(['jumped', 'future', 'longAgo']);
export type DeletionPauseReason = z.infer<typeof deletionPauseReason>;

export const systemNotifications = z.object({
  /** When this database was restored, since when nothing is sent; null: notifications are sent. */
  paused_at: timestamp.nullable(),
});
export type SystemNotifications = z.infer<typeof systemNotifications>;

/** The server's state, for the System tab. */
export const system = z.object({
  version: z.string(),
  /** Which build of the pages it serves; null: none is built. */
  build: z.string().nullable(),
  node: z.string(),
  started_at: timestamp,
  public_url: z.string().nullable(),
  database: z.object({
    kind: z.enum(['sqlite', 'postgres']),
    /** Null: not known now. */
    bytes: count.nullable(),
    /** Bytes of growing tables: claims, archive, activity, undo; empty until they were measured. */
    parts: z.record(z.string(), count),
  }),
  /** Live connections of this server, and people who choose hours just now, on any. */
  watching: z.object({ members: count, admins: count, choosing: count }),
  clock: z.object({
    time: timestamp,
    date: z.string(),
    hour: count,
    next_server_save: timestamp,
    time_zone: z.string(),
    /** How far the machine's clock is ahead of the database's, in seconds; null where the machine's is the server's. */
    machine_ahead: z.number().int().nullable(),
    /** Why nothing is deleted by age, and how far the clock may be off, in seconds. */
    deletion_paused: z
      .object({ reason: deletionPauseReason, seconds: z.number().int(), until: timestamp })
      .nullable(),
  }),
  /** The servers that share the database, in the order of their start. */
  servers: z.array(systemServer),
  /** Of the disk with the data folder; null: not known. */
  disk: z.object({ free: count, total: count }).nullable(),
  notifications: systemNotifications,
  backup: systemBackup,
  checkup: systemCheckup,
});
export type System = z.infer<typeof system>;

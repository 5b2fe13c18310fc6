import { z } from 'zod';
import type { Database } from '../../db/schema.ts';

/*
 * An archive is gzipped JSON lines: the header; for each table a line with its name and columns, and an array for each row; and the
 * end with counts and hashes, which the reader compares.
 */

export const FORMAT = 1;
/** Bytes of a line in an archive. A picture takes at most a sixth of it. The reader holds one line and a chunk. */
export const MAX_LINE = 16 * 1024 * 1024;

type Cell = string | number | null | Buffer;
export type Row = readonly Cell[];

const count = z.number().int().nonnegative();

export const header = z.object({
  /** FORMAT */
  claimboard: z.number().int(),
  made_at: z.string(),
  /** Names of the database's migrations. */
  schema: z.array(z.string()).min(1),
  tables: z.record(z.string(), count),
  /** The largest id that each table ever used: ids are not reused. */
  sequences: z.record(z.string(), count),
});
export type Header = z.infer<typeof header>;

export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
export type TableLine = z.infer<typeof tableLine>;

/** SHA-256 of the header's line, and of all lines of each table. */
export const endLine = z.object({
  end: z.object({
    header: z.string(),
    tables: z.record(z.string(), z.object({ rows: count, sha256: z.string() })),
  }),
});
export type EndLine = z.infer<typeof endLine>;

/** Bytes are written as `{"base64": …}`. */
const bytes = z.strictObject({ base64: z.base64() });

export const rowText = (row: Row): string =>
  JSON.stringify(
    row.map((cell) => (Buffer.isBuffer(cell) ? { base64: cell.toString('base64') } : cell)),
  );

/** @throws unless it is a row with this many columns */
export function readRow(row: unknown, columns: number): Row {
  if (!Array.isArray(row) || row.length !== columns) throw new Error('not a row of its table');
  return row.map((cell: unknown) => {
    if (cell === null || typeof cell === 'string' || typeof cell === 'number') return cell;
    return Buffer.from(bytes.parse(cell).base64, 'base64');
  });
}

/** Whether archives have a table. It does not compile without an entry for each. Tables of the deployment are not archived. */
const IS_ARCHIVED: Readonly<Record<keyof Database, boolean>> = {
  clock: true,
  changes: true,
  config: true,
  categories: true,
  respawns: true,
  images: true,
  member_types: true,
  events: true,
  access_keys: true,
  verifications: true,
  bans: true,
  former_members: true,
  character_facts: true,
  claims: true,
  claim_parts: true,
  claim_endings: true,
  archived_events: true,
  archived_claims: true,
  archived_claim_parts: true,
  occupied_hours: true,
  occupied_days: true,
  activity: true,
  activity_names: true,
  undos: true,
  undo_pieces: true,
  undo_images: true,
  admins: true,
  admin_sessions: true,
  invitations: true,
  idempotent_answers: true,
  secrets: true,
  jobs: true,
  waits: true,
  standing_claims: true,
  standing_occurrences: true,
  transfers: true,
  outbox: true,
  channels: true,
  board_messages: true,
  deliveries: true,
  push_subscriptions: true,
  push_preferences: true,
  push_reminders: true,
  calendars: true,
  stars: true,
  discord_app: true,
  discord_interactions: false,
  discord_sign_in: true,
  discord_sign_in_tokens: false,
  direct_messages: false,
  heartbeats: false,
  servers: false,
  wrong_tries: false,
  backups: false,
  checkups: false,
};

/** All of our tables. */
export const ALL_TABLES: readonly string[] = Object.keys(IS_ARCHIVED);

/** In the order of an archive. The migrations are in its header. */
export const ARCHIVED_TABLES: readonly string[] = Object.entries(IS_ARCHIVED).flatMap(
  ([name, isArchived]) => (isArchived ? [name] : []),
);

/** Names of archived tables in earlier schemas: a backup before a migration has them, too. */
const FORMER_TABLES = ['news', 'destinations', 'event_templates'];

export const ourTables = (names: Iterable<string>): string[] =>
  existingNames([...ALL_TABLES, ...FORMER_TABLES], names);

export const archivedTables = (names: Iterable<string>): string[] =>
  existingNames([...ARCHIVED_TABLES, ...FORMER_TABLES], names);

function existingNames(tables: readonly string[], names: Iterable<string>): string[] {
  const there = new Set(names);
  return tables.filter((name) => there.has(name));
}

/** Tables that migrations fill: a database with rows in no other table is empty. */
export const FILLED_BY_MIGRATIONS: ReadonlySet<string> = new Set(['clock', 'config', 'secrets']);

/** Why an archive cannot be restored. The reader adds the file's name. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

import type { Database } from '../../db/schema.ts';

/**
 * Each table once, or this does not compile, and whether an archive has it; a test compares them with what a database says it has.
 * What belongs to the deployment and not to the guild is in no archive.
 */
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
  claims: true,
  claim_parts: true,
  claim_endings: true,
  archived_events: true,
  archived_claims: true,
  archived_claim_parts: true,
  occupied_hours: true,
  occupied_days: true,
  activity: true,
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
  news: true,
  destinations: true,
  deliveries: true,
  push_subscriptions: true,
  push_preferences: true,
  push_reminders: true,
  calendars: true,
  event_templates: true,
  heartbeats: false,
  servers: false,
  wrong_tries: false,
  backups: false,
  checkups: false,
};

/** Every table of ours. */
export const ALL_TABLES: readonly string[] = Object.keys(IS_ARCHIVED);

/** All that a guild's board is, in the order in which it stands in an archive. What migrations note is told by its header. */
export const TABLES: readonly string[] = Object.entries(IS_ARCHIVED).flatMap(([name, isArchived]) => (isArchived ? [name] : []));

/** Rows that a migration makes: a database that has nothing else is empty. */
export const FILLED_BY_MIGRATIONS: ReadonlySet<string> = new Set(['clock', 'config', 'secrets']);

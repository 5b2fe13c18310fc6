import type { Generated } from 'kysely';
import type { JsonText, Timestamp } from './columns.ts';

/** Backups that any server made, is making or failed to make. They are the deployment's, not the guild's: no archive has them. */
export interface BackupsTable {
  id: Generated<number>;
  /** Host name. */
  server: string;
  folder: string;
  file: string;
  occasion: 'timed' | 'asked' | 'before' | 'by_hand';
  started_at: Timestamp;
  /** The server that makes it is alive. */
  renewed_at: Timestamp;
  /** null: it is being made. */
  ended_at: Timestamp | null;
  percent: number | null;
  bytes: number | null;
  /** null: it succeeded, or is being made. */
  error: string | null;
}

/** The last check-up and the running one, of whichever server; likewise in no archive. */
export interface CheckupsTable {
  id: Generated<number>;
  server: string;
  started_at: Timestamp;
  renewed_at: Timestamp;
  ended_at: Timestamp | null;
  looking_at: string | null;
  done: Generated<number>;
  /** CheckResult[]; null while it runs. */
  checks: JsonText | null;
}

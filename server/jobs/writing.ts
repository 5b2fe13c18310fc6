import type { Heartbeats } from '../db/clock/heartbeats.ts';
import type { Db, Tx } from '../db/database.ts';
import type { ChangeRecorder, Write, WriteContext } from '../db/unit-of-work.ts';
import type { Env } from '../env.ts';

/** Expires what is due before each write, and stores the next deadline after it. */
export interface Deadlines {
  /** Whether this process expires everything and moves the board's date; else only what depends on no setting. */
  isInCharge: () => boolean;
  /** The next deadline by what is stored now; null: none. */
  next: (db: Db | Tx, now: Date) => Promise<string | null>;
  expire: (ctx: Writing, write: Write) => Promise<void>;
  reschedule: (ctx: Writing, write: Write) => Promise<void>;
}

/** What features' operations need to write. Prefer `WriteContext` and what the folder itself needs. */
export interface Writing extends WriteContext {
  env: Env;
  deadlines: Deadlines;
  freedHours: {
    /** Offers the hours that the write freed so far, for a write that answers with the outcome. A failure doesn't fail the write. */
    offer: (ctx: Writing, tx: Tx, changes: ChangeRecorder) => Promise<void>;
  };
  heartbeats: Heartbeats;
  outbox: {
    /** Notes the subscribed types in the clock row: other events are not collected. */
    updateSubscribedTypes: (tx: Tx) => Promise<void>;
  };
}

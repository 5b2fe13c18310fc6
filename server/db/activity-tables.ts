import type { Generated } from 'kysely';
import type { ActorKind } from '../../shared/schemas/activity.ts';
import type { JsonText, Timestamp, WithDefault } from './columns.ts';

export interface ActivityTable {
  id: Generated<number>;
  timestamp: Timestamp;
  action: string;
  actor_kind: WithDefault<ActorKind>;
  /** An admin's or a member's. */
  actor_name: string | null;
  admin_id: number | null;
  /** An admin's name without case, to filter by. */
  admin_key: string | null;
  /** As `activityDetails` says of the action. */
  details: JsonText;
  undone_at: Generated<Timestamp | null>;
  /** Since when there is nothing to put back any more, because nobody did in time (`activity/forget.ts`). */
  undo_expired_at: Generated<Timestamp | null>;
}

/** What a deletion took and its undo puts back (`activity/kept-undos.ts`); gone once it is back, or too old. */
export interface UndosTable {
  id: Generated<number>;
  /** Of the deletion; null while that is being written. */
  entry_id: Generated<number | null>;
  /** Of the shape of what is kept. */
  version: number;
  made_at: Timestamp;
  /** StoredEvent */
  event: JsonText | null;
  /** How many. */
  claims: number;
  /** Of claims and of records together. */
  pieces: number;
  /** Rows that were deleted or changed besides, and how many of the pieces are theirs: the last ones. */
  records: Generated<number>;
  record_pieces: Generated<number>;
}

export interface UndoPiecesTable {
  undo_id: number;
  /** From 0 on. */
  piece: number;
  /** StoredClaim[], or UndoRecord[] */
  body: JsonText;
}

/** Uploaded pictures that an undo's spots had: none of them is dropped while it may bring them back. */
export interface UndoImagesTable {
  undo_id: number;
  hash: string;
}

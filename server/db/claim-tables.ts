import type { Generated } from 'kysely';
import type { EndingReason } from '../../shared/schemas/ending.ts';
import type { WaitStatus } from '../../shared/schemas/wait.ts';
import type { Flag, ServerSaveDate, Timestamp, WithDefault } from './columns.ts';

export interface ClaimsTable {
  id: Generated<number>;
  event_id: number | null;
  character_name: string;
  character_key: string;
  member_type: string;
  /** null: every date of the single_claim event. */
  date: ServerSaveDate | null;
  custom_duration: number | null;
  voucher_duration: number;
  is_secondary_claim: Flag;
  secondary_priority: number;
  /** Of a secondary claim: the claim it was submitted with. */
  primary_claim_id: number | null;
  is_split_claim: Flag;
  created_at: Timestamp;
  /** Only held for somebody in line, until then; null: claimed. */
  held_until: Generated<Timestamp | null>;
}

/** Where and when a claim is: one row, or two when it is split. */
export interface ClaimPartsTable {
  claim_id: number;
  part_number: number;
  respawn_id: number;
  hour_start: number;
  hour_end: number;
  /** The last date that the claim covers: its own, or its event's. */
  last_date: ServerSaveDate;
  /** Its holder has yet to say that they are there, or it ends as a no-show. */
  to_confirm: WithDefault<Flag>;
}

/** Why a claim, a part of it or some of its hours ended: as it was then, and pointing to nothing that must be there. */
export interface ClaimEndingsTable {
  id: Generated<number>;
  claim_id: number;
  part_number: number;
  character_name: string;
  character_key: string;
  member_type: string;
  is_secondary_claim: Flag;
  respawn_id: number;
  respawn_name: string;
  event_id: number | null;
  date: ServerSaveDate | null;
  /** The dates that it covered: its own, or its event's. */
  first_date: ServerSaveDate;
  last_date: ServerSaveDate;
  hour_start: number;
  hour_end: number;
  made_at: Timestamp;
  ended_at: Timestamp;
  /** The same on the server-save clock: what of it was over by then was not taken from anybody. */
  ended_date: ServerSaveDate;
  ended_hour: number;
  reason: EndingReason;
  /** An admin's or a member's name; null: by itself. */
  ended_by: string | null;
}

/** No double booking, by construction: the primary key is respawn, date and hour. */
export interface OccupiedHoursTable {
  respawn_id: number;
  date: ServerSaveDate;
  hour: number;
  claim_id: number;
}

/** One claim a character and date, by construction: the primary key is character and date. */
export interface OccupiedDaysTable {
  character_key: string;
  date: ServerSaveDate;
  claim_id: number;
}

/** Claims of an archived event, and old ones of no event: as they were, under their own ids. */
export interface ArchivedClaimsTable extends Omit<ClaimsTable, 'id' | 'held_until'> {
  id: number;
  last_date: ServerSaveDate;
}

/** The spot may be renamed or gone: what it was called when the claim was archived stays. */
export interface ArchivedClaimPartsTable extends Omit<ClaimPartsTable, 'to_confirm'> {
  respawn_name: string;
}

/** Who stands in line for hours of a spot, and who did. Spots, claims and events may go while it stays. */
export interface WaitsTable {
  id: Generated<number>;
  respawn_id: number;
  event_id: number | null;
  date: ServerSaveDate;
  hour_start: number;
  hour_end: number;
  min_hours: number;
  character_name: string;
  character_key: string;
  member_type: string;
  status: WaitStatus;
  /** In its line, from 1 on; 0 once it has left. */
  position: number;
  created_at: Timestamp;
  held_claim_id: Generated<number | null>;
  held_until: Generated<Timestamp | null>;
  ended_at: Generated<Timestamp | null>;
  /** It was passed over for its character's quiet hours, which end then. Nobody else's business, so no part of the record. */
  quiet_until: Generated<Timestamp | null>;
  /** An admin let the character wait, whatever its type may. */
  is_by_admin: Generated<Flag>;
  /** The hours that were occupied when the character joined, as a set of bits: bit 0 is SS+0. */
  wanted_hours: Generated<number>;
}

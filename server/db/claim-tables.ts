import type { Generated } from 'kysely';
import type { Flag, ServerSaveDate, Timestamp } from './columns.ts';

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
export interface ArchivedClaimsTable extends Omit<ClaimsTable, 'id'> {
  id: number;
  last_date: ServerSaveDate;
}

/** The spot may be renamed or gone: what it was called when the claim was archived stays. */
export interface ArchivedClaimPartsTable extends ClaimPartsTable {
  respawn_name: string;
}

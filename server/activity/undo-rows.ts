import { z } from 'zod';
import { eventType } from '../../shared/schemas/event.ts';
import { date, flag, id, timestamp } from '../../shared/schemas/fields.ts';

const storedPart = z.object({
  part_number: z.number().int(),
  respawn_id: id,
  /** Kept, to say which spot is gone. */
  respawn_name: z.string(),
  hour_start: z.number().int(),
  hour_end: z.number().int(),
  /** Left out by what was deleted before there was something to confirm. */
  to_confirm: flag.default(0),
});

/** A claim's row as it was stored, with its parts. */
export const storedClaim = z.object({
  id,
  event_id: id.nullable(),
  /** Kept, to say which event is gone. */
  event_name: z.string().nullable(),
  character_name: z.string(),
  character_key: z.string(),
  member_type: z.string(),
  date: date.nullable(),
  custom_duration: z.number().int().nullable(),
  voucher_duration: z.number().int(),
  is_secondary_claim: flag,
  secondary_priority: z.number().int(),
  primary_claim_id: id.nullable(),
  is_split_claim: flag,
  created_at: timestamp,
  parts: z.array(storedPart),
  /** Secondary claims that were submitted with it and outlive it: the deletion takes their link. */
  secondary_ids: z.array(id),
});
export type StoredClaim = z.infer<typeof storedClaim>;

/** An event's row as it was stored. */
export const storedEvent = z.object({
  id,
  name: z.string(),
  name_key: z.string(),
  type: eventType,
  start_time: z.string(),
  end_time: z.string(),
  single_claim_template: z.string().nullable(),
  created_at: timestamp,
});
export type StoredEvent = z.infer<typeof storedEvent>;

const storedRespawn = z.object({
  id,
  name: z.string(),
  image: z.string(),
  category_id: id.nullable(),
  /** Kept, to say which category is gone. */
  category_name: z.string().nullable(),
  is_enabled: flag,
  created_at: timestamp,
});
const storedCategory = z.object({ id, name: z.string() });
const storedMemberType = z.object({
  member_type: z.string(),
  voucher_duration_hours: z.number().int(),
  can_submit: flag,
  earliest_submission_date: z.string(),
  allow_secondary_claims: flag,
  background_color: z.string(),
  is_system: flag,
  /** string[] */
  guild_ranks: z.string(),
  max_hours_per_day: z.number().int().nullable(),
  max_hours_per_event: z.number().int().nullable(),
});
/** There was no such member type then either: it is not asked for again. */
const without_type = z.literal(true).exactOptional();
const storedKey = z.object({
  id,
  character_name: z.string(),
  key_value: z.string(),
  created_by_username: z.string().nullable(),
  member_type: z.string(),
  created_at: timestamp,
  is_revoked: flag,
  without_type,
});
const storedCode = z.object({
  id,
  character_name: z.string(),
  code: z.string().nullable(),
  token_hash: z.string().nullable(),
  created_at: timestamp,
  expires_at: timestamp.nullable(),
  verified_at: timestamp.nullable(),
  address_hash: z.string().nullable(),
  /** Kept, to know whether its character has the same key still; null: it had none. */
  access_key_id: id.nullable().exactOptional(),
});
const storedBan = z.object({ character_name: z.string(), created_at: timestamp });

const deleted = <K extends string, R extends z.ZodType>(kind: K, row: R) => z.object({ kind: z.literal(kind), deleted: row });
const changed = <K extends string, C extends z.ZodRawShape>(kind: K, columns: C) => {
  const some = z.object(columns).partial();
  return z.object({
    kind: z.literal(kind),
    id,
    /** Kept, to say which one stands in the way. */
    name: z.string(),
    changed: z.object({ before: some, after: some }),
    /** It only hung on what was deleted: where it was changed once more, or went, it is let be, and nothing is refused. */
    along: z.literal(true).exactOptional(),
    /** Of a key. */
    without_type,
    /** Of a spot: kept, to say which category is gone. */
    category_name: z.string().nullable().exactOptional(),
  });
};

/** A row that a deed of an admin deleted, changed or made, by the kind of record that shows it (a ban is shown by no kind of its own). */
export const undoRecord = z.union([
  z.discriminatedUnion('kind', [
    deleted('category', storedCategory),
    deleted('member_type', storedMemberType),
    deleted('respawn', storedRespawn),
    deleted('access_key', storedKey),
    deleted('verified_code', storedCode),
    deleted('ban', storedBan),
  ]),
  z.discriminatedUnion('kind', [
    changed('respawn', { is_enabled: flag, category_id: id.nullable() }),
    changed('access_key', { member_type: z.string(), is_revoked: flag }),
  ]),
  z.object({ kind: z.literal('ban'), made: storedBan }),
]);
export type UndoRecord = z.infer<typeof undoRecord>;

type Deleted = Extract<UndoRecord, { deleted: unknown }>;
/** The row of what was deleted, as it is kept. */
export type DeletedRow<K extends Deleted['kind']> = Extract<Deleted, { kind: K }>['deleted'];
type Changed = Extract<UndoRecord, { changed: unknown }>;
/** What is kept of a row of which columns were changed. */
export type ChangedRow<K extends Changed['kind']> = Extract<Changed, { kind: K }>;

/** Some records by their kinds, and by what was done to them. */
export interface SortedRecords {
  deleted: { readonly [K in Deleted['kind']]: DeletedRow<K>[] };
  changed: { readonly [K in Changed['kind']]: ChangedRow<K>[] };
  made: { ban: DeletedRow<'ban'>[] };
}

export function sortedRecords(records: readonly UndoRecord[]): SortedRecords {
  const sorted: SortedRecords = {
    deleted: { category: [], member_type: [], respawn: [], access_key: [], verified_code: [], ban: [] },
    changed: { respawn: [], access_key: [] },
    made: { ban: [] },
  };
  const { deleted, changed, made } = sorted;
  for (const record of records) {
    if ('made' in record) made.ban.push(record.made);
    else if ('changed' in record) {
      if (record.kind === 'respawn') changed.respawn.push(record);
      else changed.access_key.push(record);
    } else if (record.kind === 'category') deleted.category.push(record.deleted);
    else if (record.kind === 'member_type') deleted.member_type.push(record.deleted);
    else if (record.kind === 'respawn') deleted.respawn.push(record.deleted);
    else if (record.kind === 'access_key') deleted.access_key.push(record.deleted);
    else if (record.kind === 'verified_code') deleted.verified_code.push(record.deleted);
    else deleted.ban.push(record.deleted);
  }
  return sorted;
}

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

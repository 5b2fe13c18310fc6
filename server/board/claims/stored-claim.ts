import { z } from 'zod';
import { date, flag, id, timestamp } from '../../../shared/schemas/fields.ts';

const storedPart = z.object({
  part_number: z.number().int(),
  respawn_id: id,
  /** To name the spot if it is gone. */
  respawn_name: z.string(),
  hour_start: z.number().int(),
  hour_end: z.number().int(),
  /** Missing in undos that are older than confirmations. */
  to_confirm: flag.default(0),
});

/** A deleted claim's row with its parts. */
export const storedClaim = z.object({
  id,
  event_id: id.nullable(),
  /** To name the event if it is gone. */
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
  /** Secondary claims that were submitted with it and outlive it: the deletion unlinks them. */
  secondary_ids: z.array(id),
});
export type StoredClaim = z.infer<typeof storedClaim>;

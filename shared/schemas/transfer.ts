import { z } from 'zod';
import { date, hourEnd, hourStart, id, MAX_TYPED_LENGTH, name, timestamp } from './fields.ts';
import { memberTypeName } from './member-type.ts';
import { MAX_SECRET_LENGTH } from './session.ts';

const transferKind = z.enum(['handover', 'swap']);
export type TransferKind = z.infer<typeof transferKind>;

/**
 * Why a transfer ended. `refused`: by its recipient. `withdrawn`: by its owner, or an admin. `expired`: not answered in time.
 * `changed`: one of its claims changed. `waitlist`: a member joined the waitlist for its hours. `disabled`: the guild turned transfers off.
 * `gone`: one of its characters was banned, or lost its access key.
 */
export const transferOutcome = z.enum([
  'accepted',
  'refused',
  'withdrawn',
  'expired',
  'changed',
  'waitlist',
  'disabled',
  'gone',
]);
export type TransferOutcome = z.infer<typeof transferOutcome>;

export const transferPlace = z.object({
  respawn_id: id,
  respawn_name: z.string(),
  /** null: every date of its single_claim event. */
  date: date.nullable(),
  hour_start: hourStart,
  hour_end: hourEnd,
});
export type TransferPlace = z.infer<typeof transferPlace>;

/** The offer of a claim to another character, for nothing or for one of theirs. */
export const transfer = z.object({
  id,
  kind: transferKind,
  claim_id: id,
  /** The claim asked for in return; null: a handover. */
  for_claim_id: id.nullable(),
  from: z.string(),
  to: z.string(),
  offered: transferPlace,
  wanted: transferPlace.nullable(),
  created_at: timestamp,
  expires_at: timestamp,
});
export type Transfer = z.infer<typeof transfer>;

export const endedTransfer = transfer.extend({ ended_at: timestamp, outcome: transferOutcome });
export type EndedTransfer = z.infer<typeof endedTransfer>;

/** The caller's access key where none is in a header. */
export const transferActor = z.object({ access_key: z.string().max(MAX_SECRET_LENGTH).nullish() });

export const handoverInput = transferActor.extend({ to: name('character.nameRequired') });

export const recipientsQuery = z.object({
  name: z.string().max(MAX_TYPED_LENGTH).default('').describe('How the name begins'),
});

export const swapInput = transferActor.extend({ for_claim_id: id });

export const claimCharacter = z.object({
  character_name: name('character.nameRequired'),
  member_type: memberTypeName,
  seen: z
    .object({ character_name: name('character.nameRequired') })
    .describe(
      'Whose claim it was when the caller read it: a claim of another character is not moved',
    )
    .nullish(),
});
export type ClaimCharacter = z.infer<typeof claimCharacter>;

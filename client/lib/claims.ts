import { nameKey } from '../../shared/rules/names.ts';
import { type ServerSaveClock, serverSaveTime } from '../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';
import type { Ending } from '../../shared/schemas/ending.ts';

/** Key of a claim in a list: a split claim is listed once per part. */
export const claimKey = ({
  id,
  split_part_number,
}: Pick<ClaimOnRespawn, 'id' | 'split_part_number'>): string => `${id}/${split_part_number ?? 0}`;

/** Claims of one date: by hour, a primary one before the secondary one that waits for it. */
export const byHour = (a: ClaimOnRespawn, b: ClaimOnRespawn): number =>
  a.hour_start - b.hour_start || a.is_secondary_claim - b.is_secondary_claim || a.id - b.id;

/** The server-save date that a claim was for; of a claim for a whole event the one on which it ended. */
export const dayOfEnding = (
  { date, ended_at }: Pick<Ending, 'date' | 'ended_at'>,
  clock: ServerSaveClock,
): string => date ?? serverSaveTime(new Date(ended_at), clock).date;

export const endedByOther = ({ by, character_name }: Ending): boolean =>
  by !== null && nameKey(by) !== nameKey(character_name);

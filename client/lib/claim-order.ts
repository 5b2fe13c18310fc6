import type { ClaimOnRespawn } from '../../shared/schemas/claim.ts';

/** What tells the claims of lists apart: a split one stands there once for each part. */
export const claimKey = ({ id, split_part_number }: Pick<ClaimOnRespawn, 'id' | 'split_part_number'>): string =>
  `${id}/${split_part_number ?? 0}`;

/** Claims of one date: by hour, a primary one before the secondary one that waits for it. */
export const byHour = (a: ClaimOnRespawn, b: ClaimOnRespawn): number =>
  a.hour_start - b.hour_start || a.is_secondary_claim - b.is_secondary_claim || a.id - b.id;

import { nameKey } from '../../../../shared/rules/names.ts';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';

export const CHARACTER_STATUSES = ['pending', 'verified', 'revoked', 'banned'] as const;
export type CharacterStatus = (typeof CHARACTER_STATUSES)[number];

/** What counts most: a ban, then a revoked key, whatever became of the code. */
export function statusOf({ banned, access_revoked, verified_at }: VerifiedCode): CharacterStatus {
  if (banned) return 'banned';
  if (access_revoked) return 'revoked';
  return verified_at === null ? 'pending' : 'verified';
}

export type CharacterDoing = 'verify' | 'revoke' | 'restore' | 'ban' | 'unban' | 'delete';

/** What an admin can do with a record, the destructive last. */
export function doingsFor(record: VerifiedCode): CharacterDoing[] {
  const status = statusOf(record);
  const hasKey = record.access_key !== null;
  const offered: { [doing in CharacterDoing]: boolean } = {
    verify: status === 'pending',
    revoke: hasKey && !record.access_revoked,
    restore: hasKey && record.access_revoked === 1,
    unban: status === 'banned',
    ban: status === 'verified' || status === 'revoked',
    delete: true,
  };
  return DOINGS.filter((doing) => offered[doing]);
}

const DOINGS: readonly CharacterDoing[] = ['verify', 'revoke', 'restore', 'unban', 'ban', 'delete'];

/** How many characters wait to be verified. Several may have asked for a code in one name, which the newest record speaks for. */
export function waitingCharacters(records: Iterable<VerifiedCode>): number {
  const newest = new Map<string, VerifiedCode>();
  for (const record of records) {
    const name = nameKey(record.character_name);
    if (record.id > (newest.get(name)?.id ?? 0)) newest.set(name, record);
  }
  return [...newest.values()].filter((record) => statusOf(record) === 'pending').length;
}

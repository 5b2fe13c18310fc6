import { nameKey } from '../../../../shared/rules/names.ts';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';

export const CHARACTER_STATUSES = ['pending', 'verified', 'revoked', 'banned'] as const;
export type CharacterStatus = (typeof CHARACTER_STATUSES)[number];

/** A ban outweighs a revoked key, which outweighs the state of the code. */
export function statusOf({ banned, access_revoked, verified_at }: VerifiedCode): CharacterStatus {
  if (banned) return 'banned';
  if (access_revoked) return 'revoked';
  return verified_at === null ? 'pending' : 'verified';
}

export type CharacterAction = 'verify' | 'revoke' | 'restore' | 'ban' | 'unban' | 'delete';

/** The actions that a record's state allows, the destructive last. */
export function actionsFor(record: VerifiedCode): CharacterAction[] {
  const status = statusOf(record);
  const hasKey = record.access_key !== null;
  const offered: { [action in CharacterAction]: boolean } = {
    verify: status === 'pending',
    revoke: hasKey && !record.access_revoked,
    restore: hasKey && record.access_revoked === 1,
    unban: status === 'banned',
    ban: status === 'verified' || status === 'revoked',
    delete: true,
  };
  return ACTIONS.filter((action) => offered[action]);
}

const ACTIONS: readonly CharacterAction[] = [
  'verify',
  'revoke',
  'restore',
  'unban',
  'ban',
  'delete',
];

/** The newest record of each character, by the name's key. */
export function newestByName(records: Iterable<VerifiedCode>): Map<string, VerifiedCode> {
  const newest = new Map<string, VerifiedCode>();
  for (const record of records) {
    const name = nameKey(record.character_name);
    if (record.id > (newest.get(name)?.id ?? 0)) newest.set(name, record);
  }
  return newest;
}

/** How many characters await verification. If a name has several records, its newest counts. */
export function countPendingVerifications(records: Iterable<VerifiedCode>): number {
  return [...newestByName(records).values()].filter((record) => statusOf(record) === 'pending')
    .length;
}

/** The verification without what the key says of itself; null: there is no record. */
export function verificationOf(
  record: VerifiedCode | undefined,
): Exclude<CharacterStatus, 'revoked'> | null {
  if (!record) return null;
  if (record.banned) return 'banned';
  return record.verified_at === null ? 'pending' : 'verified';
}

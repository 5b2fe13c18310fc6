import { nameKey } from '../../../../shared/rules/names.ts';
import type { AccessKey } from '../../../../shared/schemas/access-key.ts';
import type { VerifiedCode } from '../../../../shared/schemas/character.ts';

/** A character with a key, a verification record, or both. */
export interface Person {
  /** Of its row. */
  id: number;
  character_name: string;
  member_type: string;
  key: AccessKey | null;
  /** Its newest verified record, or its newest one if none is verified. */
  record: VerifiedCode | null;
  records: readonly VerifiedCode[];
  /** The server-save date of its last claim; null: none is known. */
  last_claim_date: string | null;
}

export const PERSON_STATUSES = ['pending', 'verified', 'revoked', 'banned', 'none'] as const;
export type PersonStatus = (typeof PERSON_STATUSES)[number];

/** A ban outweighs a revoked key, which outweighs the state of the verification. */
export function statusOf({ key, record }: Pick<Person, 'key' | 'record'>): PersonStatus {
  if (record?.banned) return 'banned';
  if (key?.is_revoked) return 'revoked';
  if (!record) return 'none';
  return record.verified_at === null ? 'pending' : 'verified';
}

/** When it verified or asked for a code, or its key was made. */
export const createdAt = ({ key, record }: Person): string =>
  record?.created_at ?? key?.created_at ?? '';

const PERSON_ACTIONS = [
  'verify',
  'revoke',
  'restore',
  'unban',
  'ban',
  'delete',
  'deleteKey',
] as const;
export type PersonAction = (typeof PERSON_ACTIONS)[number];

/** The actions that a character's state allows, the destructive last. A ban needs a record that shows it. */
export function actionsFor(person: Person): PersonAction[] {
  const status = statusOf(person);
  const { key, record, records } = person;
  // A code requested after the key was deleted: with the check by an admin only an admin can answer it.
  const needsKey =
    status === 'verified' &&
    key === null &&
    records.some(({ verified_at }) => verified_at === null);
  const offered: { [action in PersonAction]: boolean } = {
    verify: status === 'pending' || status === 'none' || needsKey,
    revoke: key?.is_revoked === 0,
    restore: key?.is_revoked === 1,
    unban: status === 'banned',
    ban: status !== 'banned' && (key !== null || status === 'verified'),
    delete: record !== null && status !== 'banned',
    deleteKey: key !== null,
  };
  return PERSON_ACTIONS.filter((action) => offered[action]);
}

/** Of a character, so that its row stays when it gets a key or a record. */
const rowIds = new Map<string, number>();
function rowIdOf(character_key: string): number {
  const id = rowIds.get(character_key) ?? rowIds.size + 1;
  rowIds.set(character_key, id);
  return id;
}

/** @param lastClaims dates by the name's key */
export function peopleOf(
  keys: Iterable<AccessKey>,
  records: Iterable<VerifiedCode>,
  lastClaims: ReadonlyMap<string, string>,
): Person[] {
  const keyOf = new Map<string, AccessKey>();
  for (const key of keys) keyOf.set(nameKey(key.character_name), key);
  const recordsOf = new Map<string, VerifiedCode[]>();
  for (const record of records) {
    const character = nameKey(record.character_name);
    recordsOf.set(character, [...(recordsOf.get(character) ?? []), record]);
  }
  return [...new Set([...keyOf.keys(), ...recordsOf.keys()])].flatMap((character) => {
    const key = keyOf.get(character) ?? null;
    const ofCharacter = recordsOf.get(character) ?? [];
    const record = recordOfStatus(ofCharacter);
    const named = key ?? record;
    if (!named) return [];
    const { character_name, member_type } = named;
    const last_claim_date = lastClaims.get(character) ?? null;
    return [
      {
        id: rowIdOf(character),
        character_name,
        member_type,
        key,
        record,
        records: ofCharacter,
        last_claim_date,
      },
    ];
  });
}

/** The record of a character that tells its status. */
const recordOfStatus = (records: readonly VerifiedCode[]): VerifiedCode | null =>
  records.reduce<VerifiedCode | null>(
    (chosen, record) => (!chosen || outranks(record, chosen) ? record : chosen),
    null,
  );

/** Any visitor may request a code for a member's name: that must not make the member pending. */
function outranks(record: VerifiedCode, other: VerifiedCode): boolean {
  const isVerified = record.verified_at !== null;
  return isVerified === (other.verified_at !== null) ? record.id > other.id : isVerified;
}

/** How many characters await verification. A verified character doesn't, even if a visitor requests a new code for its name. */
export const countPendingVerifications = (records: Iterable<VerifiedCode>): number =>
  peopleOf([], records, new Map()).filter(
    ({ record }) =>
      record && !record.banned && !record.access_revoked && record.verified_at === null,
  ).length;

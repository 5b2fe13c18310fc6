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
  const { key, record } = person;
  const offered: { [action in PersonAction]: boolean } = {
    verify: status === 'pending' || status === 'none',
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
  const recordOf = recordByName(records);
  return [...new Set([...keyOf.keys(), ...recordOf.keys()])].flatMap((character) => {
    const key = keyOf.get(character) ?? null;
    const record = recordOf.get(character) ?? null;
    const named = key ?? record;
    if (!named) return [];
    const { character_name, member_type } = named;
    const last_claim_date = lastClaims.get(character) ?? null;
    return [{ id: rowIdOf(character), character_name, member_type, key, record, last_claim_date }];
  });
}

/** The record of each character that tells its status, by the name's key. */
function recordByName(records: Iterable<VerifiedCode>): Map<string, VerifiedCode> {
  const chosen = new Map<string, VerifiedCode>();
  for (const record of records) {
    const name = nameKey(record.character_name);
    const other = chosen.get(name);
    if (!other || outranks(record, other)) chosen.set(name, record);
  }
  return chosen;
}

/** Any visitor may request a code for a member's name: that must not make the member pending. */
function outranks(record: VerifiedCode, other: VerifiedCode): boolean {
  const isVerified = record.verified_at !== null;
  return isVerified === (other.verified_at !== null) ? record.id > other.id : isVerified;
}

/** How many characters await verification. A verified character doesn't, even if a visitor requests a new code for its name. */
export const countPendingVerifications = (records: Iterable<VerifiedCode>): number =>
  [...recordByName(records).values()].filter(
    ({ banned, access_revoked, verified_at }) => !banned && !access_revoked && verified_at === null,
  ).length;

import type { Selectable } from 'kysely';
import { z } from 'zod';
import { nameKey } from '../../../shared/rules/names.ts';
import type { RevokedBecause } from '../../../shared/schemas/access-key.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';
import type { NeedKind, NeedsLook } from '../../../shared/schemas/needs-look.ts';
import type { CharacterFactsTable, Flag } from '../../db/schema.ts';
import { typeOfRank } from '../verification/check-verification.ts';

export type CharacterFacts = Selectable<CharacterFactsTable>;

/** A character with an active key, and its facts. */
export interface Person {
  id: number;
  character_name: string;
  character_key: string;
  member_type: string;
  type_by_hand: Flag;
  created_at: string;
  facts: CharacterFacts;
}

/** The settings and member types that facts are judged by. */
export interface Judging {
  guild_name: string | null;
  leavers_lose_access: Flag;
  ranks_follow: Flag;
  types: readonly MemberType[];
  now: Date;
}

type Need = Pick<NeedsLook, 'kind' | 'fact' | 'new_type'>;

/** A character is listed as deleted after this many days on which a look did not find it. */
const MISSING_DAYS = 3;

const names = z.array(z.string());
export const namesIn = (json: string): string[] => names.parse(JSON.parse(json));

/** Identifies a fact for *Keep*: a different fact is listed again. */
export const signOf = ({ kind, fact }: Need): string => `${kind}:${fact ?? ''}`;

/** The sign of a new name that the old one is kept in spite of. */
export const renamedTo = (name: string): string =>
  signOf({ kind: 'renamed', fact: name, new_type: null });

/** The facts that an admin should look at, most serious first, including kept ones. */
export function needsOf(person: Person, judging: Judging): Need[] {
  const { facts, created_at, character_key } = person;
  const { guild_name, now } = judging;
  const { traded_since, deletion_date, missing_days, name, guild } = facts;
  const needs: Need[] = [];
  const add = (kind: NeedKind, fact: string | null, new_type: string | null = null): void =>
    void needs.push({ kind, fact, new_type });
  if (traded_since !== null && created_at < traded_since) add('traded', null);
  const isPast = deletion_date !== null && Date.parse(deletion_date) <= now.getTime();
  if (isPast || missing_days >= MISSING_DAYS) add('deleted', isPast ? deletion_date : null);
  if (name === null) return needs;
  const isOutside = guild_name !== null && nameKey(guild ?? '') !== nameKey(guild_name);
  if (isOutside) add('left', guild);
  if (nameKey(name) !== character_key) add('renamed', name);
  const new_type = isOutside ? null : newType(person, judging);
  if (new_type !== null) add('rank', facts.guild_rank, new_type);
  return needs;
}

/** The member type of a rank that changed; a type that an admin set counts until then. null: the type agrees. */
function newType(
  { member_type, type_by_hand, facts }: Person,
  { guild_name, types }: Judging,
): string | null {
  if (guild_name === null || types.every(({ guild_ranks }) => guild_ranks.length === 0))
    return null;
  const earned = typeOfRank(types, facts.guild_rank);
  const isDecided = type_by_hand === 1 && facts.ranked_as === facts.guild_rank;
  return isDecided || earned === member_type ? null : earned;
}

/** Those of them that were not kept. */
export function openNeeds(person: Person, judging: Judging): Need[] {
  const kept = new Set(namesIn(person.facts.kept));
  return needsOf(person, judging).filter((need) => !kept.has(signOf(need)));
}

/** Why access should end if another look agrees; null: it should not. */
export function leavingOf(person: Person, judging: Judging): RevokedBecause | null {
  for (const { kind } of openNeeds(person, judging)) {
    if (kind === 'traded') return kind;
    if ((kind === 'deleted' || kind === 'left') && judging.leavers_lose_access) return kind;
  }
  return null;
}

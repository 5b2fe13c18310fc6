import { defineMapCollector, type Unit } from '../db/unit-of-work.ts';

/** Its key was revoked, deleted, or replaced because the character was traded; or the character was banned. */
type Leaving = 'revoked' | 'deleted' | 'traded' | 'banned';

/**
 * Characters who stop being members with this write, by their keys. Each feature ends their records in its own hook: waitlist
 * entries, transfers, weekly claims, stars, links to Discord.
 */
export const formerMembers = defineMapCollector<string, Leaving>();

/** Characters whose key is enabled or restored by this write, or whose ban is undone: when it was made; null: there was no ban. */
export const returnedMembers = defineMapCollector<string, string | null>();

/** Traded characters: their stars and preferences are deleted, too, as the new owner must not get them. */
export const tradedCharacters = ({ changes }: Unit): string[] =>
  [...changes.collect(formerMembers)].flatMap(([key, why]) => (why === 'traded' ? key : []));

/** Characters who got a key, or whose key got another member type, with the type. */
export const retypedMembers = defineMapCollector<string, string>();

export const retypedByType = ({ changes }: Unit) =>
  [...Map.groupBy(changes.collect(retypedMembers), ([, member_type]) => member_type)].map(
    ([member_type, members]) => ({ member_type, character_keys: members.map(([key]) => key) }),
  );

/** Ids of keys that were replaced for the same owner, with the new ones. */
export const replacedKeys = defineMapCollector<number, number>();

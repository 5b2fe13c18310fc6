import { defineMapCollector, type Unit } from '../db/unit-of-work.ts';

/** Its key was revoked, deleted, or replaced because the character was traded; or the character was banned. */
type Leaving = 'revoked' | 'deleted' | 'traded' | 'banned';

/**
 * Characters who stop being members with this write, by their keys. Each feature ends what belongs to them in a hook of its own:
 * waitlist entries, transfers, weekly claims, stars, links to Discord.
 */
export const formerMembers = defineMapCollector<string, Leaving>();

/** Characters whose key is enabled or restored by this write, or whose ban is undone: when it was made; null: there was no ban. */
export const returnedMembers = defineMapCollector<string, string | null>();

/** Those whose characters have another owner now: also what belongs to the character instead of its key is deleted. */
export const tradedCharacters = ({ changes }: Unit): string[] =>
  [...changes.collect(formerMembers)].flatMap(([key, why]) => (why === 'traded' ? key : []));

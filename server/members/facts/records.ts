import { nameKey } from '../../../shared/rules/names.ts';
import type { NeedsLook } from '../../../shared/schemas/needs-look.ts';
import { returnedMembers } from '../../auth/changed-members.ts';
import { changedSettings, readConfig } from '../../board/records/guild.ts';
import { allMemberTypes } from '../../board/records/members.ts';
import { type Db, inBatches, type Reading, type Tx } from '../../db/database.ts';
import type { WriteHook } from '../../db/unit-of-work.ts';
import {
  type CharacterFacts,
  type Judging,
  namesIn,
  needsOf,
  openNeeds,
  type Person,
  signOf,
} from './needs.ts';

/** Whether facts are read at all. */
export const isOn = async (ctx: Reading): Promise<boolean> =>
  ctx.env.CHARACTER_CHECK === 'tibiadata' && (await readConfig(ctx, ctx.db)).facts_enabled === 1;

export async function readJudging(ctx: Reading, db: Db | Tx): Promise<Judging> {
  const { guild_name, leavers_lose_access, ranks_follow } = await readConfig(ctx, db);
  const types = await allMemberTypes(db);
  return { guild_name, leavers_lose_access, ranks_follow, types, now: ctx.now() };
}

/** Verified characters whose keys open the board. */
export const members = (db: Db | Tx) =>
  db
    .selectFrom('access_keys as k')
    .leftJoin('character_facts as f', 'f.character_key', 'k.character_key')
    .where('k.is_revoked', '=', 0)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('verifications as v')
          .select('v.id')
          .whereRef('v.character_key', '=', 'k.character_key')
          .where('v.verified_at', 'is not', null),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('bans')
            .select('bans.character_key')
            .whereRef('bans.character_key', '=', 'k.character_key'),
        ),
      ),
    );

const KEY_COLUMNS = [
  'k.id',
  'k.character_name',
  'k.character_key',
  'k.member_type',
  'k.type_by_hand',
  'k.created_at',
] as const;

/** Facts of a character that was not looked at. */
export const noFacts = (character_key: string, due_at: string): CharacterFacts => ({
  character_key,
  due_at,
  read_at: null,
  name: null,
  former_names: '[]',
  guild: null,
  guild_rank: null,
  world: null,
  traded: 0,
  deletion_date: null,
  traded_since: null,
  ranked_as: null,
  missing_days: 0,
  missing_on: null,
  leaving_as: null,
  leaving_since: null,
  kept: '[]',
});

/** Members with their facts. @param character_keys all of them if left out */
async function peopleOf(db: Db | Tx, character_keys?: readonly string[]): Promise<Person[]> {
  let found = members(db).select(KEY_COLUMNS);
  let facts = db.selectFrom('character_facts').selectAll();
  if (character_keys) {
    found = found.where('k.character_key', 'in', character_keys);
    facts = facts.where('character_key', 'in', character_keys);
  }
  const known = new Map((await facts.execute()).map((row) => [row.character_key, row]));
  return (await found.orderBy('k.id', 'desc').execute()).map((key) => ({
    ...key,
    facts: known.get(key.character_key) ?? noFacts(key.character_key, ''),
  }));
}

export const personOf = async (db: Db | Tx, character_key: string): Promise<Person | null> =>
  (await peopleOf(db, [character_key]))[0] ?? null;

/** The characters that an admin should look at, each with the most serious reason; newest keys first. */
export async function readNeeds(ctx: Reading): Promise<NeedsLook[]> {
  if (!(await isOn(ctx))) return [];
  const judging = await readJudging(ctx, ctx.db);
  return (await peopleOf(ctx.db)).flatMap((person) => {
    const { id, character_name, facts } = person;
    const read_at = facts.missing_on ?? facts.read_at;
    const [need] = openNeeds(person, judging);
    return need && read_at !== null ? [{ id, character_name, ...need, read_at }] : [];
  });
}

/** Whether the guild is gone rather than one character: none of several members is in it, as after a misspelling or a renaming. */
export async function isGuildGone(db: Db | Tx, guild_name: string | null): Promise<boolean> {
  const guilds = await members(db)
    .select(({ fn }) => ['f.guild', fn.countAll<number>().as('n')])
    .where('f.name', 'is not', null)
    .groupBy('f.guild')
    .execute();
  const all = guilds.reduce((sum, { n }) => sum + n, 0);
  const isIn = guilds.some(({ guild }) => nameKey(guild ?? '') === nameKey(guild_name ?? ''));
  return !isIn && all >= MANY;
}
const MANY = 5;

/** A key that an admin enables again is kept with the facts as they are. */
export const keepReturned: WriteHook = {
  after: async ({ ctx, tx, changes }) => {
    const returned = [...changes.collect(returnedMembers).keys()];
    if (returned.length === 0) return;
    const judging = await readJudging(ctx, tx);
    for (const some of inBatches(returned)) {
      for (const person of await peopleOf(tx, some)) {
        const signs = needsOf(person, judging).map(signOf);
        const kept = JSON.stringify([...new Set([...namesIn(person.facts.kept), ...signs])]);
        await tx
          .updateTable('character_facts')
          .set({ kept, leaving_as: null, leaving_since: null })
          .where('character_key', '=', person.character_key)
          .execute();
      }
    }
  },
};

/** Only looks after a switch was turned on, and under the same guild's name, end access. */
export const countAnew: WriteHook = {
  after: async ({ tx, changes }) => {
    const changed = changes.collect(changedSettings);
    if (!['leavers_lose_access', 'facts_enabled', 'guild_name'].some((name) => changed.has(name)))
      return;
    const isAll = changed.has('facts_enabled');
    await tx
      .updateTable('character_facts')
      .set({ leaving_as: null, leaving_since: null })
      .where('leaving_as', 'in', isAll ? ['left', 'deleted', 'traded'] : ['left', 'deleted'])
      .execute();
  },
};

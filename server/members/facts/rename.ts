import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { revokedBecause } from '../../../shared/schemas/access-key.ts';
import { flag, id, timestamp } from '../../../shared/schemas/fields.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import { type Actor, logActivity } from '../../auth/activity-log.ts';
import { formerMembers, replacedKeys, retypedMembers } from '../../auth/changed-members.ts';
import { freedHours } from '../../board/freed-hours.ts';
import { findRespawnLabels } from '../../board/records/respawns.ts';
import { inBatches, type Tx } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import {
  findAccessKey,
  formerMemberLeftAt,
  keepBansVisible,
  type NamedCharacter,
  noteFormerMembers,
  putCharacters,
} from '../records.ts';
import { namesIn, renamedTo } from './needs.ts';
import { noFacts } from './records.ts';

/* A character got another name: everything of it moves to the new one. */

interface Renaming {
  from: NamedCharacter;
  to: NamedCharacter;
}

/** Tables of rows with an id, a character's key and its name. */
const NAMED = [
  'verifications',
  'claims',
  'claim_endings',
  'archived_claims',
  'waits',
  'standing_claims',
] as const;

const ids = z.array(id);
const moved = z.object({
  verifications: ids,
  claims: ids,
  claim_endings: ids,
  archived_claims: ids,
  waits: ids,
  standing_claims: ids,
  transfers_from: ids,
  transfers_to: ids,
  push_subscriptions: ids,
  /** Of starred spots. */
  stars: ids,
  ban: z.boolean(),
  preferences: z.boolean(),
  calendar: z.boolean(),
});
type Moved = z.infer<typeof moved>;

const keyRow = z.object({
  id,
  character_name: z.string(),
  character_key: z.string(),
  key_value: z.string(),
  created_by_username: z.string().nullable(),
  member_type: z.string(),
  created_at: timestamp,
  is_revoked: flag,
  revoked_because: revokedBecause.nullable(),
  type_by_hand: flag,
  discord_user_id: z.string().nullable(),
  discord_name: z.string().nullable(),
  discord_linked_at: timestamp.nullable(),
  discord_language: z.enum(['en', 'es', 'pt']).nullable(),
  discord_channel_id: z.string().nullable(),
  discord_closed_at: timestamp.nullable(),
});
type KeyRow = z.infer<typeof keyRow>;

const named = z.object({ character_key: z.string(), character_name: z.string() });
const renaming = z.object({
  kind: z.literal('rename'),
  changed: z.object({
    from: named,
    to: named,
    /** The keys of both names before. */
    keys: z.array(keyRow),
    moved,
  }),
});
type Rename = z.infer<typeof renaming>;

/**
 * Moves everything of a character to its new name, in the caller's write. If the new name has a key of its own, the newer key stays, with
 * the older one's member type. Claims on dates on which the new name has claims stay with the old name, and the entry lists them.
 */
export async function renameCharacter(
  unit: Unit,
  actor: Actor,
  { from, to }: Renaming,
): Promise<void> {
  const { tx, changes } = unit;
  const keys = await keysOf(tx, [from.character_key, to.character_key]);
  const colliding = await collidingClaims(tx, { from, to });
  const moved = await moveRows(unit, { from, to, colliding });
  const access_key_id = await joinKeys(unit, keys, { from, to });
  const left = await describeClaims(tx, colliding);
  await moveFacts(unit, { from, to });
  await moveFormerNote(unit, { from, to }, keys);
  // Entries, offers and weekly claims that could not move end.
  changes.collect(formerMembers).set(from.character_key, 'deleted');
  if (moved.ban) changes.collect(formerMembers).set(to.character_key, 'banned');
  await showRenamed(unit, { from, to });
  const undo = await keepUndo(unit, {
    records: [{ kind: 'rename', changed: { from, to, keys, moved } }],
  });
  await logActivity(unit, actor, {
    action: 'character_renamed',
    details: {
      ...(access_key_id !== null && { access_key_id }),
      character_name: to.character_name,
      changed: { character_name: { from: from.character_name, to: to.character_name } },
      ...(left.length > 0 && { claims_left: left }),
    },
    undo,
  });
}

/** An earlier sale of the character counts under its new name, too. A key of the new name has its own note. */
async function moveFormerNote(
  { tx, at }: Unit,
  { from, to }: Renaming,
  keys: readonly KeyRow[],
): Promise<void> {
  if (keys.every(({ character_key }) => character_key !== to.character_key)) {
    const sold_at = await formerMemberLeftAt(tx, from.character_key);
    await tx.deleteFrom('former_members').where('character_key', '=', to.character_key).execute();
    if (sold_at !== null) await noteFormerMembers(tx, [to.character_key], sold_at);
  }
  await noteFormerMembers(tx, [from.character_key], at.toISOString());
}

const keysOf = async (tx: Tx, character_keys: readonly string[]): Promise<KeyRow[]> =>
  (
    await tx
      .selectFrom('access_keys')
      .selectAll()
      .where('character_key', 'in', character_keys)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map((row) => keyRow.parse(row));

/** The claims that can't move: their new holder has others on the same dates. Secondary claims stay with their primary ones. */
async function collidingClaims(tx: Tx, { from, to }: Renaming): Promise<number[]> {
  const days = await tx
    .selectFrom('occupied_days as one')
    .innerJoin('occupied_days as other', 'other.date', 'one.date')
    .select('one.claim_id')
    .distinct()
    .where('one.character_key', '=', from.character_key)
    .where('other.character_key', '=', to.character_key)
    .execute();
  const primaries = days.map(({ claim_id }) => claim_id);
  const all = [...primaries];
  for (const some of inBatches(primaries)) {
    const followers = tx.selectFrom('claims').select('id').where('primary_claim_id', 'in', some);
    all.push(...(await followers.execute()).map((claim) => claim.id));
  }
  return all;
}

/** `only`: the rows to move; without it, all except colliding claims and rows that the new name already has. */
interface Move extends Renaming {
  colliding?: readonly number[];
  only?: Moved;
}

async function moveRows({ tx }: Unit, move: Move): Promise<Moved> {
  const { from, to, only, colliding = [] } = move;
  const stay = new Set(colliding);
  const waiting = only ? [] : await doubleEntries(tx, move);
  const found: Partial<Moved> = {};
  for (const table of NAMED) {
    const rows = await tx
      .selectFrom(table)
      .select('id')
      .where('character_key', '=', from.character_key)
      .execute();
    const chosen = only && new Set(only[table]);
    const moving = rows
      .map((row) => row.id)
      .filter((each) => !chosen || chosen.has(each))
      .filter((each) => table !== 'claims' || !stay.has(each))
      .filter((each) => table !== 'waits' || !waiting.includes(each));
    for (const some of inBatches(moving))
      await tx
        .updateTable(table)
        .set({ ...to })
        .where('id', 'in', some)
        .execute();
    found[table] = moving;
  }
  for (const some of inBatches(found.claims ?? []))
    await tx
      .updateTable('occupied_days')
      .set({ character_key: to.character_key })
      .where('claim_id', 'in', some)
      .where('character_key', '=', from.character_key)
      .execute();
  const transfers_from = await moveTransfers(tx, 'from', move);
  const transfers_to = await moveTransfers(tx, 'to', move);
  return {
    verifications: [],
    claims: [],
    claim_endings: [],
    archived_claims: [],
    waits: [],
    standing_claims: [],
    ...found,
    transfers_from,
    transfers_to,
    push_subscriptions: await moveSubscriptions(tx, move),
    stars: await moveStars(tx, move),
    ban: await moveSingle(tx, 'bans', move),
    preferences: await moveSingle(tx, 'push_preferences', move),
    calendar: await moveSingle(tx, 'calendars', move),
  };
}

/** The new name is on these waitlists already. */
async function doubleEntries(tx: Tx, { from, to }: Renaming): Promise<number[]> {
  const rows = await tx
    .selectFrom('waits as one')
    .innerJoin('waits as other', (join) =>
      join.onRef('other.respawn_id', '=', 'one.respawn_id').onRef('other.date', '=', 'one.date'),
    )
    .select('one.id')
    .where('one.character_key', '=', from.character_key)
    .where('other.character_key', '=', to.character_key)
    .where('one.ended_at', 'is', null)
    .where('other.ended_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}

async function moveTransfers(
  tx: Tx,
  side: 'from' | 'to',
  { from, to, only }: Move,
): Promise<number[]> {
  const rows = await tx
    .selectFrom('transfers')
    .select('id')
    .where(`${side}_key`, '=', from.character_key)
    .execute();
  const chosen = only && new Set(side === 'from' ? only.transfers_from : only.transfers_to);
  const moving = rows.map((row) => row.id).filter((each) => !chosen || chosen.has(each));
  const { character_key, character_name } = to;
  for (const some of inBatches(moving))
    await tx
      .updateTable('transfers')
      .set(
        side === 'from'
          ? { from_key: character_key, from_name: character_name }
          : { to_key: character_key, to_name: character_name },
      )
      .where('id', 'in', some)
      .execute();
  return moving;
}

/** A browser that both names have subscribed keeps the new name's subscription. */
async function moveSubscriptions(tx: Tx, { from, to, only }: Move): Promise<number[]> {
  const there = tx
    .selectFrom('push_subscriptions as other')
    .select('other.endpoint')
    .where('other.character_key', '=', to.character_key);
  const rows = await tx
    .selectFrom('push_subscriptions')
    .select('id')
    .where('character_key', '=', from.character_key)
    .where('endpoint', 'not in', there)
    .execute();
  const chosen = only && new Set(only.push_subscriptions);
  const moving = rows.map((row) => row.id).filter((each) => !chosen || chosen.has(each));
  for (const some of inBatches(moving))
    await tx
      .updateTable('push_subscriptions')
      .set({ character_key: to.character_key })
      .where('id', 'in', some)
      .execute();
  return moving;
}

async function moveStars(tx: Tx, { from, to, only }: Move): Promise<number[]> {
  const there = tx
    .selectFrom('stars as other')
    .select('other.respawn_id')
    .where('other.character_key', '=', to.character_key);
  const rows = await tx
    .selectFrom('stars')
    .select('respawn_id')
    .where('character_key', '=', from.character_key)
    .where('respawn_id', 'not in', there)
    .execute();
  const chosen = only && new Set(only.stars);
  const moving = rows.map((row) => row.respawn_id).filter((each) => !chosen || chosen.has(each));
  for (const some of inBatches(moving))
    await tx
      .updateTable('stars')
      .set({ character_key: to.character_key })
      .where('character_key', '=', from.character_key)
      .where('respawn_id', 'in', some)
      .execute();
  return moving;
}

/** Moves a row of a table that has at most one per character, unless the new name has its own. */
async function moveSingle(
  tx: Tx,
  table: 'bans' | 'push_preferences' | 'calendars',
  { from, to, only }: Move,
): Promise<boolean> {
  const may = { bans: only?.ban, push_preferences: only?.preferences, calendars: only?.calendar };
  const has = (character_key: string) =>
    tx
      .selectFrom(table)
      .select('character_key')
      .where('character_key', '=', character_key)
      .executeTakeFirst();
  if (may[table] === false || !(await has(from.character_key))) return false;
  if (await has(to.character_key)) return false;
  const { character_key, character_name } = to;
  if (table === 'bans')
    await tx
      .updateTable('bans')
      .set({ character_key, character_name })
      .where('character_key', '=', from.character_key)
      .execute();
  else
    await tx
      .updateTable(table)
      .set({ character_key })
      .where('character_key', '=', from.character_key)
      .execute();
  return true;
}

const DISCORD = [
  'discord_user_id',
  'discord_name',
  'discord_linked_at',
  'discord_language',
  'discord_channel_id',
  'discord_closed_at',
] as const;
const discordOf = (key: KeyRow) =>
  ({
    discord_user_id: key.discord_user_id,
    discord_name: key.discord_name,
    discord_linked_at: key.discord_linked_at,
    discord_language: key.discord_language,
    discord_channel_id: key.discord_channel_id,
    discord_closed_at: key.discord_closed_at,
  }) satisfies Pick<KeyRow, (typeof DISCORD)[number]>;

/** @param keys the older first @returns the id of the key that stays; null: neither name has one */
async function joinKeys(
  unit: Unit,
  keys: readonly KeyRow[],
  { to }: Renaming,
): Promise<number | null> {
  const { tx, changes } = unit;
  const [older, newer = older] = keys;
  if (!older || !newer) return null;
  if (older.id !== newer.id) {
    await pointToKey(tx, older.id, newer.id);
    await tx.deleteFrom('access_keys').where('id', '=', older.id).execute();
    changes.remove('access_key', older.id);
    changes.collect(replacedKeys).set(older.id, newer.id);
    changes.collect(retypedMembers).set(to.character_key, older.member_type);
  }
  const revoked = keys.find((key) => key.is_revoked);
  await tx
    .updateTable('access_keys')
    .set({
      ...to,
      ...(newer.discord_user_id === null && discordOf(older)),
      member_type: older.member_type,
      type_by_hand: older.type_by_hand,
      is_revoked: revoked ? 1 : 0,
      revoked_because: revoked?.revoked_because ?? null,
    })
    .where('id', '=', newer.id)
    .execute();
  if (revoked) changes.collect(formerMembers).set(to.character_key, 'revoked');
  return newer.id;
}

/** Moves subscriptions and calendars from one key to another. A hook moves weekly claims. */
async function pointToKey(tx: Tx, from_id: number, to_id: number): Promise<void> {
  for (const table of ['push_subscriptions', 'calendars'] as const)
    await tx
      .updateTable(table)
      .set({ access_key_id: to_id })
      .where('access_key_id', '=', from_id)
      .execute();
}

/** Claims with their dates and spots, for the log. */
async function describeClaims(tx: Tx, claim_ids: readonly number[]): Promise<string[]> {
  const described: string[] = [];
  for (const some of inBatches(claim_ids)) {
    const parts = await tx
      .selectFrom('claims')
      .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
      .select(['date', 'last_date', 'respawn_id'])
      .where('claims.id', 'in', some)
      .orderBy('last_date')
      .execute();
    const labels = await findRespawnLabels(
      tx,
      parts.map(({ respawn_id }) => respawn_id),
    );
    for (const { date, last_date, respawn_id } of parts)
      described.push(`${labels.get(respawn_id)?.name ?? ''} (${date ?? last_date})`);
  }
  return described;
}

/** Moves the facts to the new name. The old name's row keeps the new name, so that admins can't claim for the old one. */
async function moveFacts({ tx, at }: Unit, { from, to }: Renaming): Promise<void> {
  const rows = await tx
    .selectFrom('character_facts')
    .selectAll()
    .where('character_key', 'in', [from.character_key, to.character_key])
    .execute();
  const old = rows.find(({ character_key }) => character_key === from.character_key);
  // A row without `read_at` is the note of a former name.
  const isKnown = rows.some(
    ({ character_key, read_at }) => character_key === to.character_key && read_at !== null,
  );
  const facts = { ...(old ?? noFacts(to.character_key, '')), character_key: to.character_key };
  if (!isKnown)
    await tx
      .insertInto('character_facts')
      .values(facts)
      .onConflict((conflict) => conflict.column('character_key').doUpdateSet(facts))
      .execute();
  await pointFormerNames(tx, { from, to });
  const note = {
    ...noFacts(from.character_key, at.toISOString()),
    name: to.character_name,
    kept: old?.kept ?? '[]',
  };
  await tx
    .insertInto('character_facts')
    .values(note)
    .onConflict((conflict) => conflict.column('character_key').doUpdateSet(note))
    .execute();
}

/** Points earlier names of the character to the new one. */
async function pointFormerNames(tx: Tx, { from, to }: Renaming): Promise<void> {
  await tx
    .updateTable('character_facts')
    .set({ name: to.character_name })
    .where('name', '=', from.character_name)
    .where('read_at', 'is', null)
    .where('character_key', '!=', to.character_key)
    .execute();
}

/** All watchers load the board again, as names are everywhere; holders of the key sign in with the new one. */
async function showRenamed(unit: Unit, { from, to }: Renaming): Promise<void> {
  const { tx, changes } = unit;
  await keepBansVisible(unit, [from, to]);
  for (const { character_key } of [from, to]) changes.collect(freedHours).of(character_key);
  changes.reset();
  for (const { id: key_id } of await keysOf(tx, [from.character_key, to.character_key])) {
    const record = await findAccessKey(tx, key_id);
    if (record) changes.put({ kind: 'access_key', record });
  }
  await putCharacters(unit, [from.character_key, to.character_key]);
}

/** Restores the old name until the source answers a third one. */
export const renameUndo: RecordUndo<Rename> = {
  kinds: ['rename'],
  record: renaming,
  restore: async (unit, records) => {
    for (const { changed } of records) await renameBack(unit, changed);
    // The write has shown them.
    return async () => undefined;
  },
};

/** @throws DomainError activity.keyReissued, activity.changedMeanwhile */
async function renameBack(unit: Unit, { from, to, keys, moved }: Rename['changed']): Promise<void> {
  const { tx, changes } = unit;
  const now = await keysOf(tx, [from.character_key, to.character_key]);
  if (now.some((key) => key.character_key === from.character_key))
    throw new DomainError('activity.keyReissued', { list: from.character_name });
  const [older, newer = older] = keys;
  if (now[0]?.id !== newer?.id)
    throw new DomainError('activity.changedMeanwhile', { list: to.character_name });
  const wereTwo = keys.length === 2;
  const back = { from: to, to: from };
  if (older && newer && now[0]) {
    // Revoked since: neither key opens the board.
    const { is_revoked, revoked_because } = now[0];
    const state = keys.some((key) => key.is_revoked) ? {} : { is_revoked, revoked_because };
    await tx
      .updateTable('access_keys')
      .set(wereTwo ? { ...newer, ...state } : { ...from })
      .where('id', '=', newer.id)
      .execute();
    if (wereTwo)
      await tx
        .insertInto('access_keys')
        .values({ ...older, ...state })
        .execute();
  }
  const colliding = await collidingClaims(tx, back);
  await moveRows(unit, { ...back, colliding, ...(wereTwo && { only: moved }) });
  if (wereTwo && older && newer) await returnToKeys(unit, [older, newer]);
  await tx.deleteFrom('former_members').where('character_key', '=', from.character_key).execute();
  await pointFormerNames(tx, back);
  await keepName(tx, { from, to, wereTwo });
  if (moved.ban) changes.collect(formerMembers).set(from.character_key, 'banned');
  await showRenamed(unit, back);
}

/** Each name's records belong to its own key again. */
async function returnToKeys({ tx, changes }: Unit, keys: readonly KeyRow[]): Promise<void> {
  for (const { id: access_key_id, character_key, member_type } of keys) {
    for (const table of ['push_subscriptions', 'calendars', 'standing_claims'] as const)
      await tx
        .updateTable(table)
        .set({ access_key_id })
        .where('character_key', '=', character_key)
        .where('access_key_id', 'is not', null)
        .execute();
    changes.collect(retypedMembers).set(character_key, member_type);
  }
}

/** Keeps the old name although the source answers the new one. */
async function keepName(
  tx: Tx,
  { from, to, wereTwo }: Renaming & { wereTwo: boolean },
): Promise<void> {
  if (!wereTwo) {
    const moved = await tx
      .selectFrom('character_facts')
      .selectAll()
      .where('character_key', '=', to.character_key)
      .executeTakeFirst();
    await tx
      .deleteFrom('character_facts')
      .where('character_key', 'in', [from.character_key, to.character_key])
      .execute();
    const facts = moved ?? noFacts(from.character_key, '');
    await tx
      .insertInto('character_facts')
      .values({ ...facts, character_key: from.character_key, name: to.character_name })
      .execute();
  }
  const row = await tx
    .selectFrom('character_facts')
    .select('kept')
    .where('character_key', '=', from.character_key)
    .executeTakeFirstOrThrow();
  const kept = JSON.stringify([...namesIn(row.kept), renamedTo(to.character_name)]);
  await tx
    .updateTable('character_facts')
    .set({ kept })
    .where('character_key', '=', from.character_key)
    .execute();
}

import { nameKey } from '../../../shared/rules/names.ts';
import { keepUndo } from '../../activity/undo-store.ts';
import { type Actor, logActivity } from '../../auth/activity-log.ts';
import { keyOfCharacter } from '../../board/records/members.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Unit, type Writing, write, writeUnseen } from '../../db/unit-of-work.ts';
import { moveKeys, turnKeys } from '../access-keys.ts';
import { formerMemberLeftAt, type NamedCharacter } from '../records.ts';
import { changedKeys } from '../restore.ts';
import type { Sighting } from '../verification/character-source.ts';
import type { GameCharacter } from '../verification/tibiadata.ts';
import {
  type CharacterFacts,
  type Judging,
  leavingOf,
  namesIn,
  needsOf,
  openNeeds,
  type Person,
  renamedTo,
  signOf,
} from './needs.ts';
import { isGuildGone, isOn, personOf, readJudging } from './records.ts';
import { renameCharacter } from './rename.ts';

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 24 * HOUR_MS;
/** Two looks that agree are this far apart at least. */
const AGREE_AFTER_MS = 20 * HOUR_MS;

/** Stores the result of a look, then renames, revokes or retypes the character if that is due. */
export async function storeLook(
  ctx: Writing,
  character_key: string,
  sighting: Sighting,
): Promise<void> {
  await writeUnseen(ctx, (unit) => storeFacts(unit, character_key, sighting));
  const person = await personOf(ctx.db, character_key);
  if (!person) return;
  const judging = await readJudging(ctx, ctx.db);
  const reportedName = reportedNameIn(sighting);
  const isDue =
    (await newNameOf(ctx.db, person, { judging, reportedName })) ?? dueAction(person, judging);
  if (isDue) await write(ctx, (unit) => act(unit, character_key, reportedName));
}

/** The character's name in this look; null if the look found no character or answered in another shape. */
const reportedNameIn = ({ finding }: Sighting): string | null =>
  finding.type === 'character' && finding.character.is_whole ? finding.character.name : null;

/**
 * The new name to move the character to; null: none. Stored facts may be out of date, so this look must confirm the name. A traded
 * character whose new name has a key is not moved: the two keys most likely belong to two people.
 */
async function newNameOf(
  db: Db | Tx,
  person: Person,
  { judging, reportedName }: { judging: Judging; reportedName: string | null },
): Promise<string | null> {
  const need = openNeeds(person, judging).find(({ kind }) => kind === 'renamed');
  if (!need?.fact || reportedName === null || nameKey(need.fact) !== nameKey(reportedName))
    return null;
  const isSold = person.facts.traded && (await keyOfCharacter(db, nameKey(reportedName))) !== null;
  return isSold ? null : reportedName;
}

async function storeFacts(unit: Unit, character_key: string, sighting: Sighting): Promise<void> {
  const { ctx, tx } = unit;
  const person = await personOf(tx, character_key);
  if (!person) return;
  const judging = await readJudging(ctx, tx);
  const facts = await factsAfter(tx, person, { sighting, judging });
  await tx
    .insertInto('character_facts')
    .values(facts)
    .onConflict((conflict) => conflict.column('character_key').doUpdateSet(facts))
    .execute();
}

interface Look {
  sighting: Sighting;
  judging: Judging;
}

/** The facts after a look. A failure, an answer that is older than the last, and a strange one change nothing. */
async function factsAfter(tx: Tx, person: Person, look: Look): Promise<CharacterFacts> {
  const { facts } = person;
  const { finding, taken_at, next_at } = look.sighting;
  const now = look.judging.now.getTime();
  const again_ms =
    finding.type === 'failure' ? Math.max(next_at.getTime(), now + HOUR_MS) : now + LOOK_EVERY_MS;
  const unchanged = { ...facts, due_at: new Date(again_ms).toISOString() };
  const read_at = taken_at.toISOString();
  if (isStale(facts, read_at, look.judging.now)) return unchanged;
  if (finding.type === 'missing') {
    const isCounted = facts.missing_on?.slice(0, 10) === read_at.slice(0, 10);
    const missing_days = facts.missing_days + (isCounted ? 0 : 1);
    return judged({ ...person, facts: { ...unchanged, missing_days, missing_on: read_at } }, look);
  }
  if (finding.type !== 'character' || !isOf(person, finding.character)) return unchanged;
  const { character } = finding;
  const traded_since = await tradedSince(tx, person, { character, read_at });
  const known: CharacterFacts = {
    ...unchanged,
    read_at,
    name: character.name,
    former_names: JSON.stringify(character.former_names),
    guild: character.guild_name,
    guild_rank: character.guild_rank,
    world: character.world,
    traded: character.was_traded ? 1 : 0,
    deletion_date: character.deletion_date,
    traded_since,
    missing_days: 0,
    missing_on: null,
  };
  return judged({ ...person, facts: known }, look);
}

/** Not for times of a clock that has been set back since. */
function isStale({ read_at, missing_on }: CharacterFacts, taken_at: string, now: Date): boolean {
  const last = missing_on ?? read_at;
  return last !== null && last <= now.toISOString() && taken_at <= last;
}

/** Whether the source means this character, by its name or a former one. */
const isOf = ({ character_key }: Person, { name, former_names, is_whole }: GameCharacter) =>
  is_whole && [name, ...former_names].some((each) => nameKey(each) === character_key);

/**
 * The game calls a character traded for months, also after its buyer verified. The buyer's key is newer than the trade was known: it has a
 * note of a former member (`replaceKey`), or is newer than the look that first reported the trade.
 */
async function tradedSince(
  tx: Tx,
  { character_key, created_at, facts }: Person,
  { character, read_at }: { character: GameCharacter; read_at: string },
): Promise<string | null> {
  if (!character.was_traded) return null;
  const { traded_since } = facts;
  if (facts.traded) return traded_since !== null && created_at < traded_since ? traded_since : null;
  const wasUntraded = facts.read_at !== null && created_at < facts.read_at;
  if (!wasUntraded && (await formerMemberLeftAt(tx, character_key)) !== null) return null;
  return read_at;
}

/** Forgets *Keep* for facts that have changed, and counts agreeing looks. */
function judged(person: Person, { judging }: Look): CharacterFacts {
  const { facts } = person;
  const signs = new Set(needsOf(person, judging).map(signOf));
  const isDecided = person.type_by_hand === 0 || facts.ranked_as === null;
  const kept = namesIn(facts.kept).filter((sign) => signs.has(sign));
  const after = {
    ...facts,
    kept: JSON.stringify(kept),
    ranked_as: isDecided ? facts.guild_rank : facts.ranked_as,
  };
  // A character that is missing has the guild that it was in before.
  const leaving_as = leavingOf({ ...person, facts: after }, judging);
  if (facts.missing_on !== null && leaving_as !== 'deleted') return after;
  const now = judging.now.toISOString();
  const isAgain =
    facts.leaving_as === leaving_as &&
    facts.leaving_since !== null &&
    facts.leaving_since <= now &&
    // A look of before the key was of another member.
    facts.leaving_since >= person.created_at;
  const since = isAgain ? facts.leaving_since : lookOf(facts);
  return { ...after, leaving_as, leaving_since: leaving_as === null ? null : since };
}

const lookOf = ({ missing_on, read_at }: CharacterFacts): string | null => missing_on ?? read_at;

type Action =
  | { do: 'end'; because: NonNullable<CharacterFacts['leaving_as']> }
  | { do: 'retype'; member_type: string };

/** The revocation or type change that is due without an admin; null: none. */
function dueAction(person: Person, judging: Judging): Action | null {
  const { leaving_as, leaving_since } = person.facts;
  const last = lookOf(person.facts);
  if (leaving_as !== null && leaving_since !== null && last !== null) {
    const apart_ms = Date.parse(last) - Date.parse(leaving_since);
    if (apart_ms >= AGREE_AFTER_MS && leavingOf(person, judging) === leaving_as)
      return { do: 'end', because: leaving_as };
  }
  const rank = openNeeds(person, judging).find(({ kind }) => kind === 'rank');
  if (!rank?.new_type || !judging.ranks_follow || person.type_by_hand) return null;
  return { do: 'retype', member_type: rank.new_type };
}

const SERVER = { role: 'server' } as const;

async function act(unit: Unit, character_key: string, reportedName: string | null): Promise<void> {
  const { ctx, tx } = unit;
  const person = await personOf(tx, character_key);
  if (!person) return;
  const judging = await readJudging(ctx, tx);
  const name = await newNameOf(tx, person, { judging, reportedName });
  if (name !== null) {
    const { character_name } = person;
    const to = { character_key: nameKey(name), character_name: name };
    return renameCharacter(unit, SERVER, { from: { character_key, character_name }, to });
  }
  const action = dueAction(person, judging);
  if (!action) return;
  if (action.do === 'retype') await followRank(unit, SERVER, { person, ...action });
  if (action.do !== 'end') return;
  const { because } = action;
  if (because === 'left' && (await isGuildGone(tx, judging.guild_name))) return;
  const key = await keyOfCharacter(tx, character_key);
  if (!key) return;
  const { id, character_name, member_type } = key;
  const undo = await keepUndo(unit, { records: await changedKeys(tx, [id], { is_revoked: 1 }) });
  await turnKeys(unit, { keys: [key], revoked: true, because });
  await logActivity(unit, SERVER, {
    action: 'access_ended',
    details: { access_key_id: id, character_name, member_type, because },
    undo,
  });
}

/**
 * Before a character is verified, moves the records of its former names to it, including bans and revoked keys. Skips a name that an admin
 * restored.
 */
export async function followFormerNames(
  ctx: Writing,
  character: Pick<GameCharacter, 'name' | 'former_names' | 'was_traded' | 'is_whole'>,
): Promise<void> {
  if (!character.is_whole || !(await isOn(ctx))) return;
  const to = { character_key: nameKey(character.name), character_name: character.name };
  const names = [...new Set(character.former_names.map(nameKey))];
  for (const character_key of names) {
    if (character_key === to.character_key || !(await formerName(ctx.db, character_key, to)))
      continue;
    await write(ctx, async (unit) => {
      const from = await formerName(unit.tx, character_key, to);
      const isSold = character.was_traded && (await keyOfCharacter(unit.tx, to.character_key));
      if (from && !isSold) await renameCharacter(unit, SERVER, { from, to });
    });
  }
}

/** A name that has a key or a ban, and may move to the new name. */
async function formerName(
  db: Db | Tx,
  character_key: string,
  { character_name }: NamedCharacter,
): Promise<NamedCharacter | null> {
  const of = (table: 'access_keys' | 'bans') =>
    db
      .selectFrom(table)
      .select(['character_key', 'character_name'])
      .where('character_key', '=', character_key)
      .executeTakeFirst();
  const known = (await of('access_keys')) ?? (await of('bans'));
  const facts = await db
    .selectFrom('character_facts')
    .select('kept')
    .where('character_key', '=', character_key)
    .executeTakeFirst();
  const isKept = facts && namesIn(facts.kept).includes(renamedTo(character_name));
  return known && !isKept ? known : null;
}

/** Gives a member the type of their guild rank, which it follows from then on. */
export async function followRank(
  unit: Unit,
  actor: Actor,
  { person, member_type }: { person: Person; member_type: string },
): Promise<void> {
  const { tx } = unit;
  const { character_key, facts } = person;
  const key = await keyOfCharacter(tx, character_key);
  if (!key) return;
  await moveKeys(unit, { keys: [key], member_type, type_by_hand: 0 });
  await tx
    .updateTable('character_facts')
    .set({ ranked_as: facts.guild_rank })
    .where('character_key', '=', character_key)
    .execute();
  const { id, character_name, member_type: from } = key;
  const changed = { member_type: { from, to: member_type } };
  await logActivity(unit, actor, {
    action: 'access_key_updated',
    details: { access_key_id: id, character_name, member_type, changed },
  });
}

import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { PushPreferences, PushPreferencesChange } from '../../../shared/schemas/push.ts';
import { tradedCharacters } from '../../auth/changed-members.ts';
import { memberOfKey } from '../../auth/sessions.ts';
import type { Db, Tx } from '../../db/database.ts';
import { lockClock } from '../../db/domain-events.ts';
import { type Unit, type WriteHook, write, writeUnseen } from '../../db/unit-of-work.ts';
import type { Env } from '../../env.ts';
import type { NoticeContext } from './medium.ts';

/** The waitlist's part of a change of quiet hours (R9.13): it skips members during them. */
export interface QuietHoursHook {
  isSkipped: (tx: Tx, character_key: string) => Promise<boolean>;
  onChange: (unit: Unit, character_key: string) => Promise<void>;
}

/** All push notifications, without quiet hours. */
const defaultPreferences = ({ SS_TIME_ZONE }: Pick<Env, 'SS_TIME_ZONE'>): PushPreferences => ({
  hold_offered: 1,
  hunt_begins: 1,
  confirm_now: 1,
  claim_changed: 1,
  // By default only what can be answered.
  direct_hold_offered: 1,
  direct_hunt_begins: 0,
  direct_confirm_now: 1,
  direct_claim_changed: 0,
  quiet_from: null,
  quiet_until: null,
  time_zone: SS_TIME_ZONE,
});

/** @returns the preferences by a character's key */
export async function preferencesOf(
  env: Pick<Env, 'SS_TIME_ZONE'>,
  db: Db | Tx,
  character_keys: readonly string[],
): Promise<(character_key: string) => PushPreferences> {
  const rows = await db
    .selectFrom('push_preferences')
    .selectAll()
    .where('character_key', 'in', character_keys)
    .execute();
  const stored = new Map(
    rows.map(({ character_key, ...preferences }) => [character_key, preferences]),
  );
  return (character_key) => stored.get(character_key) ?? defaultPreferences(env);
}

/**
 * The clock does not advance, as no watcher sees preferences, unless a waitlist skips the character at this moment for its quiet
 * hours: then the same write offers again.
 * @throws DomainError push.quietHours if one end is missing or both are the same; session.* for an invalid key
 */
export async function changePreferences(
  ctx: NoticeContext,
  access_key: string,
  { change, quietHours }: { change: PushPreferencesChange; quietHours: QuietHoursHook },
): Promise<PushPreferences> {
  const changed = await writeUnseen(ctx, async (unit) => {
    const { character_key } = await memberOfKey(unit.tx, access_key);
    // The write lock: no other write may skip the character or schedule a notice meanwhile.
    await lockClock(unit.tx);
    const needsOffers =
      changesQuietHours(change) && (await quietHours.isSkipped(unit.tx, character_key));
    return needsOffers ? null : storePreferences(unit, character_key, change);
  });
  if (changed) return changed;
  return write(ctx, async (unit) => {
    const { character_key } = await memberOfKey(unit.tx, access_key);
    const after = await storePreferences(unit, character_key, change);
    await quietHours.onChange(unit, character_key);
    return after;
  });
}

const changesQuietHours = ({
  quiet_from,
  quiet_until,
  time_zone,
}: PushPreferencesChange): boolean =>
  [quiet_from, quiet_until, time_zone].some((value) => value !== undefined);

async function storePreferences(
  unit: Unit<NoticeContext>,
  character_key: string,
  change: PushPreferencesChange,
): Promise<PushPreferences> {
  const { ctx, tx } = unit;
  const before = (await preferencesOf(ctx.env, tx, [character_key]))(character_key);
  const given = Object.fromEntries(
    Object.entries(change).filter(([name, value]) => name !== 'access_key' && value !== undefined),
  );
  const after: PushPreferences = { ...before, ...given };
  if ((after.quiet_from === null) !== (after.quiet_until === null))
    throw new DomainError('push.quietHours');
  if (after.quiet_from !== null && after.quiet_from === after.quiet_until)
    throw new DomainError('push.quietHours');
  await tx
    .insertInto('push_preferences')
    .values({ character_key, ...after })
    .onConflict((conflict) => conflict.column('character_key').doUpdateSet(after))
    .execute();
  const was = quietUntil(unit.at, before);
  const is = quietUntil(unit.at, after);
  if (was !== null && (is === null || is < was))
    await bringForward(unit, character_key, (is ?? unit.at).toISOString());
  return after;
}

/** Ends the delays of a character's pending notices earlier, as their quiet hours do. */
async function bringForward(
  { ctx, tx }: Unit<NoticeContext>,
  character_key: string,
  due_at: string,
): Promise<void> {
  for (const medium of ctx.media) {
    const recipients = await medium.recipientsOf(tx, [character_key]);
    if (recipients.length === 0) continue;
    await tx
      .updateTable('jobs')
      .set({ due_at, revision: sql<number>`revision + 1` })
      .where('kind', '=', medium.job.kind)
      .where('due_at', '>', due_at)
      // A notice in flight must not be sent twice.
      .where('leased_until', 'is', null)
      .where('given_up_at', 'is', null)
      .where((where) => where.or(recipients.map(({ id }) => where('key', 'like', `${id} %`))))
      .execute();
  }
}

/** They belong to the character: a new key keeps them, unless it is another owner's. */
export const deletePreferencesOfTraded: WriteHook = {
  after: async (unit) => {
    for (const character_key of tradedCharacters(unit))
      await unit.tx
        .deleteFrom('push_preferences')
        .where('character_key', '=', character_key)
        .execute();
  },
};

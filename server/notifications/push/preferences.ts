import { sql } from 'kysely';
import { DomainError } from '../../../shared/errors.ts';
import { quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { PushPreferences, PushPreferencesChange } from '../../../shared/schemas/push.ts';
import { memberOfKey } from '../../auth/sessions.ts';
import type { Db, Reading, Tx } from '../../db/database.ts';
import { type ChangeRecorder, type Writing, write } from '../../db/unit-of-work.ts';
import type { Env } from '../../env.ts';
import { DIRECT_JOB, PUSH_JOB } from './notice.ts';
import { lockClock } from './subscriptions.ts';

/** The waitlist's part of a change of quiet hours (R9.13): it skips members during them. */
export interface QuietHoursHook {
  isSkipped: (tx: Tx, character_key: string) => Promise<boolean>;
  onChange: (tx: Tx, changes: ChangeRecorder, character_key: string) => Promise<void>;
}

/** All push notifications, without quiet hours. */
const defaultPreferences = ({ SS_TIME_ZONE }: Pick<Env, 'SS_TIME_ZONE'>): PushPreferences => ({
  ...{ hold_offered: 1, hunt_begins: 1, confirm_now: 1, claim_changed: 1 },
  // By default only what can be answered.
  ...{
    direct_hold_offered: 1,
    direct_hunt_begins: 0,
    direct_confirm_now: 1,
    direct_claim_changed: 0,
  },
  ...{ quiet_from: null, quiet_until: null, time_zone: SS_TIME_ZONE },
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

/** The choices for direct messages, in the place of those for push. */
export const directChoices = (chosen: PushPreferences): PushPreferences => ({
  ...chosen,
  hold_offered: chosen.direct_hold_offered,
  hunt_begins: chosen.direct_hunt_begins,
  confirm_now: chosen.direct_confirm_now,
  claim_changed: chosen.direct_claim_changed,
});

/**
 * The clock does not advance, as no watcher sees preferences, unless a waitlist skips the character at this moment for its quiet
 * hours: then the same write offers again.
 * @throws DomainError push.quietHours if one end is missing or both are the same; session.* for an invalid key
 */
export async function changePreferences(
  ctx: Writing,
  quietHours: QuietHoursHook,
  key: string,
  change: PushPreferencesChange,
): Promise<PushPreferences> {
  const changed = await ctx.writes.transaction(async (tx) => {
    const { character_key } = await memberOfKey(tx, key);
    // The write lock: no other write may skip the character or schedule a notice meanwhile.
    await lockClock(tx);
    const needsOffers =
      changesQuietHours(change) && (await quietHours.isSkipped(tx, character_key));
    return needsOffers ? null : storePreferences(ctx, tx, character_key, change);
  });
  if (changed) return changed;
  return write(ctx, async ({ tx, changes }) => {
    const { character_key } = await memberOfKey(tx, key);
    const after = await storePreferences(ctx, tx, character_key, change);
    await quietHours.onChange(tx, changes, character_key);
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
  ctx: Reading,
  tx: Tx,
  character_key: string,
  { access_key: _, ...change }: PushPreferencesChange,
): Promise<PushPreferences> {
  const before = (await preferencesOf(ctx.env, tx, [character_key]))(character_key);
  const given = Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
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
  await bringForward(tx, character_key, ctx.now(), before, after);
  return after;
}

/** If the quiet hours of now end earlier than before, so do the delays of pending notices. */
async function bringForward(
  tx: Tx,
  character_key: string,
  now: Date,
  before: PushPreferences,
  after: PushPreferences,
): Promise<void> {
  const [was, is] = [quietUntil(now, before), quietUntil(now, after)];
  if (was === null || (is !== null && is >= was)) return;
  const due_at = (is ?? now).toISOString();
  const recipients = [
    {
      kind: PUSH_JOB.kind,
      of: tx
        .selectFrom('push_subscriptions')
        .select('id')
        .where('character_key', '=', character_key),
    },
    {
      kind: DIRECT_JOB.kind,
      of: tx.selectFrom('access_keys').select('id').where('character_key', '=', character_key),
    },
  ];
  for (const { kind, of } of recipients) {
    const found = await of.execute();
    if (found.length === 0) continue;
    await tx
      .updateTable('jobs')
      .set({ due_at, revision: sql<number>`revision + 1` })
      .where('kind', '=', kind)
      .where('due_at', '>', due_at)
      // A notice in flight must not be sent twice.
      .where('leased_until', 'is', null)
      .where('given_up_at', 'is', null)
      .where((where) => where.or(found.map(({ id }) => where('key', 'like', `${id} %`))))
      .execute();
  }
}

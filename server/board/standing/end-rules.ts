import { type Actor, logActivity } from '../../auth/activity-log.ts';
import { type ServerSaveSettings, serverSaveNow } from '../../db/clock/server-save-clock.ts';
import { inBatches, type Tx } from '../../db/database.ts';
import type { ChangeRecorder, WriteHook } from '../../db/unit-of-work.ts';
import { affectedWaitlists } from '../affected-waitlists.ts';
import type { ClaimWrite } from '../claims/claims-changed.ts';
import { deleteClaims } from '../claims/end-claims.ts';
import { findPlaces } from '../records/respawns.ts';
import { type StoredRule, weekdaysOf } from './rules-store.ts';

/** Why a rule ended: a caller ended it, its character lost the key or was banned, or its spot was deleted. */
type EndReason = 'ended' | 'key' | 'spot';

/** What an entry of the activity log says of a rule. */
export async function describeRule(tx: Tx, rule: StoredRule) {
  const { id: standing_id, character_name, member_type, respawn_id, hour_start, hour_end } = rule;
  const respawn_name = (await findPlaces(tx, [respawn_id])).get(respawn_id)?.name ?? '';
  const places = [{ respawn_id, respawn_name, hour_start, hour_end }];
  return { standing_id, character_name, member_type, weekdays: weekdaysOf(rule), places };
}

interface Ended {
  rules: readonly StoredRule[];
  reason: EndReason;
  released_claims?: number;
}

async function endRules(tx: Tx, changes: ChangeRecorder, actor: Actor, { rules, reason, released_claims = 0 }: Ended): Promise<void> {
  for (const rule of rules) {
    await tx.deleteFrom('standing_claims').where('id', '=', rule.id).execute();
    changes.removeOwned('standing_claim', rule.id, [rule.character_key]);
    await logActivity(changes, actor, 'standing_ended', { ...(await describeRule(tx, rule)), reason, released_claims });
  }
}

/**
 * Ends a rule for its owner or an admin.
 * @param releases whether the claims that it made and that have not begun are released; members may do that for these claims even if
 * they can't release others
 */
export async function endRule(unit: ClaimWrite, rule: StoredRule, releases: boolean): Promise<void> {
  const { tx, changes, actor } = unit;
  const ids = releases ? await claimsToRelease(unit.ctx, tx, rule) : [];
  if (ids.length > 0) await deleteClaims(unit, { of: 'ids', ids }, { cause: 'released' });
  await endRules(tx, changes, actor, { rules: [rule], reason: 'ended', released_claims: ids.length });
}

/** The rule's claims that have not begun and still are its character's, whether or not the board shows them. */
export async function claimsToRelease(ctx: ServerSaveSettings, tx: Tx, { id, character_key }: StoredRule): Promise<number[]> {
  const { date: today, hour } = serverSaveNow(ctx);
  const claims = await tx
    .selectFrom('claims')
    .innerJoin('claim_parts', 'claim_parts.claim_id', 'claims.id')
    .select(({ fn }) => ['claims.id', 'date', fn.min<number>('hour_start').as('hour_start')])
    .where('standing_id', '=', id)
    .where('character_key', '=', character_key)
    .where('date', '>=', today)
    .groupBy(['claims.id', 'date'])
    .orderBy('claims.id')
    .execute();
  return claims.filter(({ date, hour_start }) => date !== today || hour_start > hour).map((claim) => claim.id);
}

/** Ends the rules of characters who are no longer members, and of deleted spots, in the write that makes them so. */
export const endStandingClaims: WriteHook = {
  after: async ({ tx, changes }) => {
    const affected = changes.collect(affectedWaitlists);
    for (const some of inBatches([...affected.goneCharacters])) {
      const gone = await tx.selectFrom('standing_claims').selectAll().where('character_key', 'in', some).orderBy('id').execute();
      await endRules(tx, changes, { role: 'server' }, { rules: gone, reason: 'key' });
    }
    if (affected.hasSpots) await endRules(tx, changes, { role: 'server' }, { rules: await rulesWithoutSpot(tx), reason: 'spot' });
  },
};

const rulesWithoutSpot = (tx: Tx): Promise<StoredRule[]> =>
  tx
    .selectFrom('standing_claims')
    .selectAll()
    .where(({ eb, not, exists }) =>
      not(exists(eb.selectFrom('respawns').select('respawns.id').whereRef('respawns.id', '=', 'standing_claims.respawn_id'))),
    )
    .orderBy('id')
    .execute();

import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { omit } from '../../../shared/omit.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { date, flag, id, timestamp } from '../../../shared/schemas/fields.ts';
import type { RecordUndo } from '../../activity/undo.ts';
import { deletedRecord } from '../../activity/undo-store.ts';
import type { Tx } from '../../db/database.ts';
import { authorizedCharacter } from '../records/members.ts';
import { findRespawns } from '../records/respawns.ts';
import { resumeStandingClaims } from './end-standing.ts';
import { makeSoon } from './make-job.ts';
import type { StoredStanding } from './records.ts';

/* The undo of an admin's ending of a standing claim. */

const endedStanding = deletedRecord(
  'standing_claim',
  z.object({
    id,
    respawn_id: id,
    /** To name the spot if it is gone. */
    respawn_name: z.string(),
    character_name: z.string(),
    member_type: z.string(),
    weekdays: z.string(),
    hour_start: z.number().int(),
    hour_end: z.number().int(),
    from_date: date,
    until_date: date.nullable(),
    join_waitlist: flag,
    is_paused: flag,
    created_at: timestamp,
    access_key_id: id.nullable(),
  }),
);
type EndedStanding = z.infer<typeof endedStanding>;

/** A standing claim that an admin is about to end, with all its columns: its row is deleted after 30 days, the log maybe later. */
export async function endedRecord(tx: Tx, standing: StoredStanding): Promise<EndedStanding> {
  const [respawn] = await findRespawns(tx, { ids: [standing.respawn_id] });
  return endedStanding.parse({
    kind: 'standing_claim',
    deleted: { ...standing, respawn_name: respawn?.name ?? '' },
  });
}

/** Resumes standing claims that an admin ended; those that are due make their claims at once. */
export const standingUndo: RecordUndo<EndedStanding> = {
  kinds: ['standing_claim'],
  capability: 'claims',
  record: endedStanding,
  restore: async (write, records) => {
    const { tx, admin } = write;
    const standingClaims: StoredStanding[] = [];
    for (const { deleted } of records) {
      await authorizedCharacter(tx, admin, deleted.character_name);
      await assertKeyAndSpotExist(tx, deleted);
      standingClaims.push((await findEnded(tx, deleted.id)) ?? (await storeAgain(tx, deleted)));
    }
    await resumeStandingClaims(write, standingClaims);
    if (standingClaims.length > 0) await makeSoon(write);
    // `resumeStandingClaims` has shown them.
    return async () => undefined;
  },
};

/** A standing claim without one of them ends at once. @throws DomainError activity.goneMeanwhile */
async function assertKeyAndSpotExist(
  tx: Tx,
  { respawn_id, respawn_name, access_key_id, character_name }: EndedStanding['deleted'],
): Promise<void> {
  const [respawn] = await findRespawns(tx, { ids: [respawn_id] });
  if (!respawn) throw new DomainError('activity.goneMeanwhile', { list: respawn_name });
  if (access_key_id === null) return;
  const key = await tx
    .selectFrom('access_keys')
    .select('id')
    .where('id', '=', access_key_id)
    .executeTakeFirst();
  if (!key) throw new DomainError('activity.goneMeanwhile', { list: character_name });
}

const findEnded = (tx: Tx, id: number): Promise<StoredStanding | undefined> =>
  tx.selectFrom('standing_claims').selectAll().where('id', '=', id).executeTakeFirst();

function storeAgain(tx: Tx, deleted: EndedStanding['deleted']): Promise<StoredStanding> {
  const character_key = nameKey(deleted.character_name);
  const row = { ...omit(deleted, 'respawn_name'), character_key, next_date: null };
  return tx.insertInto('standing_claims').values(row).returningAll().executeTakeFirstOrThrow();
}

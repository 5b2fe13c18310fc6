import { breathe, inBatches } from '../../db/batches.ts';
import type { ChangeRecorder } from '../../db/change-set.ts';
import type { Tx } from '../../db/open.ts';
import { affectedWaitlists } from '../waitlist/affected-waitlists.ts';
import { growingTally, type Tally } from './counts.ts';
import { type Ended, keepEndings } from './endings.ts';
import { freeWholeEvents } from './free-dates.ts';
import { handOverDays, mayHaveTwins } from './hand-over-days.ts';
import { hearsEnds, tellDeleted } from './news.ts';
import { loadClaims } from './queries.ts';

/** Claims a statement deletes at most, with all that they occupy: until it is done nothing else of this server goes on. */
const CLAIMS_A_STATEMENT = 250;

/** What went: how many claims, and how many of them on each spot and in each event, whose counts the caller keeps. */
export interface Deleted extends Tally {
  count: number;
  /** Those of them that were claims, not holds. */
  claimed: number;
}

/**
 * Deletes the rows of claims, and nothing that is owed for it but why they ended; their days go to whoever else stands on
 * them. Whoever waits for their hours is served once the write is done. No claim goes by another way.
 * @param ids each once, some at a time
 * @param ended null for claims that go on standing elsewhere, as in the archive
 */
export async function deleteRows(
  tx: Tx,
  changes: Pick<ChangeRecorder, 'collect'>,
  ids: Iterable<readonly number[]> | AsyncIterable<readonly number[]>,
  ended: Ended | null,
): Promise<Deleted> {
  const waitlists = changes.collect(affectedWaitlists);
  const isHeard = ended !== null && hearsEnds(changes, ended);
  const hasTwins = await mayHaveTwins(tx);
  const tally = growingTally();
  let [count, claimed] = [0, 0];
  for await (const some of ids) {
    for (const batch of inBatches(some, CLAIMS_A_STATEMENT)) {
      if (hasTwins) await handOverDays(tx, tx.selectFrom('claims').select('id').where('id', 'in', batch));
      if (isHeard) await tellDeleted(tx, changes, await loadClaims(tx, { of: 'ids', ids: batch }), ended);
      const parts = await (ended ? keepEndings(tx, batch, ended) : partsOf(tx, batch));
      // So that the claims' own deletion takes at most a day's hours of each along.
      await freeWholeEvents(tx, batch);
      const gone = await tx
        .deleteFrom('claims')
        .where('id', 'in', batch)
        .returning(['id', 'event_id', 'date', 'character_key', 'held_until'])
        .execute();
      const partsByClaim = Map.groupBy(parts, ({ claim_id }) => claim_id);
      for (const { id, event_id, date, character_key, held_until } of gone) {
        if (held_until === null) claimed += 1;
        const respawns = new Set((partsByClaim.get(id) ?? []).map(({ respawn_id }) => respawn_id));
        tally.add(event_id, respawns);
        for (const respawn_id of respawns) waitlists.hours(respawn_id, date);
        waitlists.character(character_key);
      }
      count += gone.length;
      await breathe();
    }
  }
  return { count, claimed, respawns: tally.respawns, events: tally.events };
}

const partsOf = (tx: Tx, ids: readonly number[]) =>
  tx.selectFrom('claim_parts').select(['claim_id', 'respawn_id']).where('claim_id', 'in', ids).execute();

import type { Respawn } from '../../shared/schemas/respawn.ts';
import type { Tx } from '../db/open.ts';
import type { ChangeRecorder } from '../db/write.ts';
import { MANY_CHANGES } from '../live/many-changes.ts';
import { findRespawns } from './queries.ts';

/** Shows respawns as they are now: to members only those that take claims. Of many, everyone loads the board anew. */
export function putRespawns(changes: ChangeRecorder, respawns: readonly Respawn[]): void {
  if (respawns.length > MANY_CHANGES) {
    changes.reset();
    return;
  }
  for (const record of respawns) {
    if (record.is_enabled) {
      changes.put({ kind: 'respawn', record });
    } else {
      changes.put({ kind: 'respawn', record }, 'admins');
      changes.remove('respawn', record.id, 'members');
    }
  }
}

/** Shows the counts of respawns whose claims changed. */
export async function putRespawnCounts(tx: Tx, changes: ChangeRecorder, ids: readonly number[]): Promise<void> {
  putRespawns(changes, await findRespawns(tx, { ids: [...new Set(ids)] }));
}

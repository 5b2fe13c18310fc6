import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { inNameOrder } from '../../../lib/order.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/search.ts';

export interface RespawnGroup {
  /** null: uncategorised. */
  category: string | null;
  respawns: readonly Respawn[];
}

const spotText = searchIndex((respawn: Respawn) => [respawn.name, respawn.category_name]);

/** The respawns whose name or category holds every word of a search, by category, the uncategorised last. */
export function groupRespawns(respawns: Iterable<Respawn>, search: string): RespawnGroup[] {
  const words = wordsOf(search);
  const fits = (respawn: Respawn): boolean => respawn.is_enabled === 1 && holds(spotText(respawn), words);
  const groups = groupBy(inNameOrder(respawns, ({ name }) => name).filter(fits), (respawn) => respawn.category_name);
  return inNameOrder(groups, ([category]) => category).map(([category, list]) => ({ category, respawns: list }));
}

import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { groupBy } from '../../lib/group-by.ts';
import { inNameOrder, plain } from '../../lib/order.ts';

export interface RespawnGroup {
  /** null: uncategorised. */
  category: string | null;
  respawns: readonly Respawn[];
}

/** The respawns whose name or category holds every word of a search, by category, the uncategorised last. */
export function groupRespawns(respawns: Iterable<Respawn>, search: string): RespawnGroup[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const fits = (respawn: Respawn): boolean => {
    const text = plain(`${respawn.name} ${respawn.category_name ?? ''}`);
    return respawn.is_enabled === 1 && words.every((word) => text.includes(word));
  };
  const groups = groupBy(inNameOrder(respawns, ({ name }) => name).filter(fits), (respawn) => respawn.category_name);
  return inNameOrder(groups, ([category]) => category).map(([category, list]) => ({ category, respawns: list }));
}

import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { inNameOrder, plain } from '../../lib/order.ts';

export interface RespawnGroup {
  /** null: uncategorised. */
  category: string | null;
  respawns: readonly Respawn[];
}

/** The respawns whose name or category holds every word of a search, by category, the uncategorised last. */
export function groupRespawns(respawns: Iterable<Respawn>, search: string): RespawnGroup[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const groups = new Map<string | null, Respawn[]>();
  for (const respawn of inNameOrder(respawns, ({ name }) => name)) {
    if (!respawn.is_enabled) continue;
    const text = plain(`${respawn.name} ${respawn.category_name ?? ''}`);
    if (!words.every((word) => text.includes(word))) continue;
    const group = groups.get(respawn.category_name);
    if (group) group.push(respawn);
    else groups.set(respawn.category_name, [respawn]);
  }
  return inNameOrder(groups, ([category]) => category ?? '')
    .map(([category, list]) => ({ category, respawns: list }))
    .sort((a, b) => Number(a.category === null) - Number(b.category === null));
}

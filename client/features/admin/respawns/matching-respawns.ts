import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { inNameOrder } from '../../../lib/order.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/search.ts';

export interface RespawnFilter {
  search: string;
  /** 'none': those without one; null: all. */
  category: number | 'none' | null;
  /** null: both. */
  enabled: boolean | null;
  /** There whatever the filter says, and even when it was deleted: the one being edited. */
  keep: Respawn | null;
}

const spotText = searchIndex((respawn: Respawn) => [respawn.name]);

/** The respawns that fit, by name. Every word of the search is somewhere in the name. */
export function matchingRespawns(respawns: Iterable<Respawn>, { search, category, enabled, keep }: RespawnFilter): Respawn[] {
  const words = wordsOf(search);
  const all = [...respawns];
  const known = keep && !all.some((respawn) => respawn.id === keep.id) ? [...all, keep] : all;
  const fits = (respawn: Respawn): boolean =>
    respawn.id === keep?.id ||
    ((category === null || (respawn.category_id ?? 'none') === category) &&
      (enabled === null || (respawn.is_enabled === 1) === enabled) &&
      holds(spotText(respawn), words));
  return inNameOrder(known.filter(fits), ({ name }) => name);
}

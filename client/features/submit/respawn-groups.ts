import type { Respawn } from '../../../shared/schemas/respawn.ts';

export interface RespawnGroup {
  /** null: uncategorised. */
  category: string | null;
  respawns: readonly Respawn[];
}

/** Without case and accents: "camara" finds "Câmara". */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** The respawns whose name or category holds every word of a search, by category, the uncategorised last. */
export function groupRespawns(respawns: Iterable<Respawn>, search: string): RespawnGroup[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  const groups = new Map<string | null, Respawn[]>();
  for (const respawn of respawns) {
    if (!respawn.is_enabled) continue;
    const text = plain(`${respawn.name} ${respawn.category_name ?? ''}`);
    if (!words.every((word) => text.includes(word))) continue;
    const group = groups.get(respawn.category_name);
    if (group) group.push(respawn);
    else groups.set(respawn.category_name, [respawn]);
  }
  return [...groups]
    .map(([category, list]) => ({ category, respawns: list.sort(byName) }))
    .sort((a, b) => Number(a.category === null) - Number(b.category === null) || (a.category ?? '').localeCompare(b.category ?? ''));
}

/** "Banuta -2" before "Banuta -10". */
const names = new Intl.Collator(undefined, { numeric: true });
const byName = (a: Respawn, b: Respawn): number => names.compare(a.name, b.name);

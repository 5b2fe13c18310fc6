import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { readSort, type Sort, useQueryState, writeSort } from '../../../lib/use-query-state.ts';
import { inNameOrder } from '../../../lib/words/order.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';

const SORTABLE = ['name', 'enabled', 'category', 'claims', 'last_claim'] as const;
const BY_NAME: Sort = { id: 'name', desc: false };

const PARAMETERS = ['search', 'category', 'enabled', 'sort'];

export interface RespawnView extends Omit<RespawnFilter, 'keep'> {
  sort: Sort;
  change: (change: Partial<Omit<RespawnFilter, 'keep'>>) => void;
  setSort: (sort: Sort) => void;
  clear: () => void;
}

/** What of the respawns is shown, and in which order: `?search=nest&category=3&enabled=0&sort=-claims`. */
export function useRespawnView(): RespawnView {
  const [{ search = '', category = '', enabled = '', sort = '' }, change] = useQueryState(PARAMETERS);
  return {
    search,
    category: category === 'none' ? 'none' : /^\d+$/.test(category) ? Number(category) : null,
    enabled: enabled === '1' ? true : enabled === '0' ? false : null,
    sort: readSort(sort, SORTABLE, BY_NAME),
    change: (next) =>
      change({
        ...(next.search === undefined ? {} : { search: next.search }),
        ...(next.category === undefined ? {} : { category: String(next.category ?? '') }),
        ...(next.enabled === undefined ? {} : { enabled: next.enabled === null ? '' : next.enabled ? '1' : '0' }),
      }),
    setSort: (next) => change({ sort: writeSort(next, BY_NAME) }),
    clear: () => change({ search: '', category: '', enabled: '' }),
  };
}

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

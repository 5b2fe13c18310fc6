import { useState } from 'react';
import { date as dateSchema } from '../../../../shared/schemas/fields.ts';
import { readSort, type Sort, useQueryState, writeSort } from '../../../lib/use-query-state.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import type { SelectOption } from '../../../ui/fields/select.tsx';

interface FilterBase<R> {
  /** Its parameter in the address. */
  id: string;
  label: string;
  /** Whether a record passes. A filter without it is applied by the server. */
  matches?: ((record: R, value: string) => boolean) | undefined;
}

/** A control that narrows a table. Its value is a text, empty while it is off. */
export type TableFilter<R> =
  /** `all` is the label of "off". `isOpen`: other values of the address are valid, too. */
  | (FilterBase<R> & {
      kind: 'select';
      all: string;
      options: readonly SelectOption<string>[];
      isOpen?: boolean;
    })
  /** Its value is `1` while it is checked. */
  | (FilterBase<R> & { kind: 'check' })
  /** `from` and `to` name the filter of the range's other end. */
  | (FilterBase<R> & { kind: 'date'; from?: string; to?: string });

export interface TableSearch<R> {
  matches: (record: R, words: readonly string[]) => boolean;
  /** Whether the address may keep a search: it must not find a secret. */
  mayKeep: (text: string, records: readonly R[]) => boolean;
}

/** Names as most are; keys and codes have digits and hyphens. */
const NAME = /^[\p{L}\p{M}' .]+$/u;

/**
 * Describes what a table's search looks through. Called once per module, because it caches the text of each record.
 * @param secretsOf keys and codes: they are searched, but a search that could be one stays out of the address, the browser's history
 * and logs
 */
export function searchIn<R extends object>(
  textsOf: (record: R) => readonly (string | null)[],
  secretsOf?: (record: R) => readonly (string | null)[],
): TableSearch<R> {
  const texts = searchIndex(textsOf);
  if (!secretsOf)
    return { matches: (record, words) => holds(texts(record), words), mayKeep: () => true };
  const secrets = searchIndex(secretsOf);
  const all = searchIndex((record: R) => [...textsOf(record), ...secretsOf(record)]);
  return {
    matches: (record, words) => holds(all(record), words),
    mayKeep: (text, records) => {
      const words = wordsOf(text);
      const isSecret = (record: R): boolean => words.some((word) => holds(secrets(record), [word]));
      return (
        NAME.test(text) &&
        records.some((record) => holds(texts(record), words)) &&
        !records.some(isSecret)
      );
    },
  };
}

export interface TableView {
  search: string;
  setSearch: (text: string) => void;
  /** The value of a filter; empty while it is off or has no valid value. */
  valueOf: (filter: string) => string;
  /** A filter's text as it was typed, valid or not. */
  typedOf: (filter: string) => string;
  setFilter: (filter: string, value: string) => void;
  sort: Sort;
  setSort: (sort: Sort) => void;
  isFiltered: boolean;
  clear: () => void;
}

interface TableViewOptions<R> {
  filters: readonly TableFilter<R>[];
  sortable?: readonly string[];
  usualSort?: Sort;
  search?: TableSearch<R> | undefined;
  /** All records, to tell a searched name from a secret. */
  records?: readonly R[];
}

const UNSORTED: Sort = { id: '', desc: false };

/** The search, filters and sort of a table, kept in the address: `?search=mira&active=1&sort=-name`. */
export function useTableView<R>({
  filters,
  sortable = [],
  usualSort = UNSORTED,
  search,
  records = [],
}: TableViewOptions<R>): TableView {
  // The tabs of a page share its address: each table names only the parameters that it has.
  const [names] = useState(() => [
    ...(search ? ['search'] : []),
    ...filters.map(({ id }) => id),
    ...(sortable.length > 0 ? ['sort'] : []),
  ]);
  const [values, change] = useQueryState(names);
  const keptSearch = values.search ?? '';
  const [typed, setTyped] = useState<{ text: string; kept: string } | null>(null);
  const typedOf = (id: string): string => values[id] ?? '';
  const setSearch = (text: string): void => {
    const kept = search?.mayKeep(text, records) ? text : '';
    setTyped({ text, kept });
    change({ search: kept });
  };
  // If the address has changed since, by going back, it counts.
  const shownSearch = typed?.kept === keptSearch ? typed.text : keptSearch;
  return {
    search: shownSearch,
    setSearch,
    valueOf: (id) => {
      const filter = filters.find((one) => one.id === id);
      return filter ? validValue(filter, typedOf(id)) : '';
    },
    typedOf,
    setFilter: (id, value) => change({ [id]: value }),
    sort: readSort(values.sort ?? '', sortable, usualSort),
    setSort: (sort) => change({ sort: writeSort(sort, usualSort) }),
    isFiltered: shownSearch !== '' || filters.some(({ id }) => typedOf(id).trim() !== ''),
    clear: () => {
      if (search) setSearch('');
      change(Object.fromEntries(filters.map(({ id }) => [id, ''])));
    },
  };
}

/** Anyone can write an address: an unknown value filters nothing. */
function validValue<R>(filter: TableFilter<R>, text: string): string {
  switch (filter.kind) {
    case 'select':
      return filter.isOpen
        ? text.trim()
        : filter.options.some(({ value }) => value === text)
          ? text
          : '';
    case 'check':
      return text === '1' ? text : '';
    case 'date':
      return dateSchema.safeParse(text).success ? text : '';
  }
}

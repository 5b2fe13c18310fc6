import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { DateInput } from '../../../ui/fields/date-input.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { Select } from '../../../ui/fields/select.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { PhoneFold } from './phone-fold.tsx';
import styles from './table.module.css';
import type { TableFilter, TableView } from './table-view.ts';

interface FiltersProps<R> {
  view: TableView;
  filters: readonly TableFilter<R>[];
  /** After the filters. */
  children?: ReactNode;
}

/** A table's search and filters in one line; labels are for screen readers only. */
export function TableFilters<R>({
  view,
  filters,
  searchLabel,
  children,
}: FiltersProps<R> & { searchLabel: string }): ReactNode {
  return (
    <Cluster rowGap={2} gap={3} className={styles.filters}>
      <SearchInput
        label={searchLabel}
        value={view.search}
        onChange={(event) => view.setSearch(event.target.value)}
      />
      <PhoneFold label={useFoldLabel(view, filters)}>
        {filters.map((filter) =>
          filter.kind === 'check' ? (
            <Checkbox
              key={filter.id}
              label={filter.label}
              checked={view.valueOf(filter.id) === '1'}
              onChange={(event) => view.setFilter(filter.id, event.target.checked ? '1' : '')}
            />
          ) : (
            <FilterInput key={filter.id} filter={filter} view={view} label={filter.label} />
          ),
        )}
        {children}
      </PhoneFold>
    </Cluster>
  );
}

/** Names the number of set filters, since on a phone they may be folded. */
function useFoldLabel<R>(view: TableView, filters: readonly TableFilter<R>[]): string {
  const { t } = useTranslation();
  const count = filters.filter(({ id }) => view.valueOf(id) !== '').length;
  return count > 0 ? t('board.filtersSet', { count }) : t('board.filters');
}

/** @param props.searchLabel with a search before the filters */
export function LabelledFilters<R>({
  view,
  filters,
  searchLabel,
  children,
}: FiltersProps<R> & { searchLabel?: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel>
      <div className={styles.labelled}>
        {searchLabel === undefined ? null : (
          <SearchInput
            label={searchLabel}
            value={view.search}
            onChange={(event) => view.setSearch(event.target.value)}
          />
        )}
        <PhoneFold label={useFoldLabel(view, filters)}>
          {filters.map((filter) => (
            <Field key={filter.id} label={filter.label}>
              <FilterInput filter={filter} view={view} />
            </Field>
          ))}
          <Button disabled={!view.isFiltered} onClick={view.clear}>
            {t('admin.table.clearFilters')}
          </Button>
        </PhoneFold>
        {children ? (
          <Cluster as="span" rowGap={2} gap={3} justify="end" className={styles.labelledEnd}>
            {children}
          </Cluster>
        ) : null}
      </div>
    </Panel>
  );
}

/** The select's value for "off". An empty value would show the placeholder. */
const ALL = '*';

interface FilterInputProps<R> {
  filter: TableFilter<R>;
  view: TableView;
  /** Its name, unless a Field around it gives one. */
  label?: string;
}

function FilterInput<R>({ filter, view, label }: FilterInputProps<R>): ReactNode {
  const typed = view.typedOf(filter.id);
  const change = (value: string): void => view.setFilter(filter.id, value);
  switch (filter.kind) {
    case 'select': {
      const value = view.valueOf(filter.id);
      const isKnown = value === '' || filter.options.some((option) => option.value === value);
      return (
        <Select
          label={label}
          wide={label === undefined}
          value={value || ALL}
          options={[
            { value: ALL, label: filter.all },
            ...(isKnown ? [] : [{ value, label: value }]),
            ...filter.options,
          ]}
          onChange={(next) => change(next === ALL ? '' : next)}
        />
      );
    }
    case 'date': {
      const limit = (end: string | undefined): string | undefined =>
        (end && view.typedOf(end)) || undefined;
      return (
        <DateInput
          aria-label={label}
          value={typed}
          min={limit(filter.from)}
          max={limit(filter.to)}
          onChange={(event) => change(event.target.value)}
        />
      );
    }
    case 'check':
      return null;
  }
}

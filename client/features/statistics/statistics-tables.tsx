import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import { type CsvCell, toCsv } from '../../../shared/csv.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { Statistics } from '../../../shared/schemas/statistics.ts';
import { saveFile } from '../../lib/save-file.ts';
import { type Sort, useQueryState } from '../../lib/use-query-state.ts';
import { sortRecords } from '../../lib/words/order.ts';
import { useSession } from '../../state/session-store.ts';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Stack } from '../../ui/layout.tsx';
import { MemberTypeBadge, useMemberTypeLooks } from '../../ui/member-type-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type BarGroup, Bars, Columns } from './plots.tsx';
import styles from './statistics.module.css';

/** The plot shows this many rows; the table has all. */
const MAX_DRAWN = 10;

export function StatisticsTables({ statistics }: { statistics: Statistics }): ReactNode {
  const { t } = useTranslation();
  const { from, to, hours_by_member, hours_by_type, hours_by_hour, wanted_spots, no_shows } =
    statistics;
  const hours = (count: number): string => t('statistics.hours', { count });
  const column = (id: ColumnName): { id: ColumnName; heading: string } => ({
    id,
    heading: t(`statistics.columns.${id}`),
  });
  const sorting = useSorting();
  const lookOf = useMemberTypeLooks();
  const viewers = useSession(
    useShallow(({ profiles }) => profiles.map(({ characterName }) => nameKey(characterName))),
  );
  const isYou = (name: string): boolean => viewers.includes(nameKey(name));
  const nameOf = (name: string): string => (isYou(name) ? `${name} (${t('board.you')})` : name);
  const members = hours_by_member.filter((row) => row.hours > 0 || row.no_shows > 0);
  const badge = ({ member_type }: { member_type: string }): ReactNode => (
    <MemberTypeBadge memberType={member_type} />
  );
  return (
    <>
      <CountTable
        title={t('statistics.byMember')}
        name="hours-by-member"
        {...{ from, to, sorting }}
        rows={members}
        keyOf={({ character_name }) => character_name}
        columns={[
          { ...column('character'), value: ({ character_name }) => character_name },
          { ...column('type'), value: ({ member_type }) => member_type, cell: badge },
          { ...column('hours'), value: (row) => row.hours },
          ...(members.some((row) => row.no_shows > 0)
            ? [{ ...column('noShows'), value: (row: (typeof members)[number]) => row.no_shows }]
            : []),
        ]}
      >
        <Top
          title={t('statistics.byMember')}
          rows={members}
          groupOf={(row) => ({
            name: `${nameOf(row.character_name)} · ${row.member_type}`,
            isMine: isYou(row.character_name),
            bars: [
              {
                value: row.hours,
                words: hours(row.hours),
                color: lookOf(row.member_type).ground,
              },
            ],
          })}
        />
      </CountTable>
      <CountTable
        title={t('statistics.byType')}
        name="hours-by-type"
        {...{ from, to, sorting }}
        rows={hours_by_type}
        keyOf={({ member_type }) => member_type}
        columns={[
          { ...column('type'), value: ({ member_type }) => member_type, cell: badge },
          { ...column('hours'), value: (row) => row.hours },
        ]}
      >
        <Top
          title={t('statistics.byType')}
          rows={hours_by_type}
          groupOf={(row) => ({
            name: row.member_type,
            bars: [
              {
                value: row.hours,
                words: hours(row.hours),
                color: lookOf(row.member_type).ground,
              },
            ],
          })}
        />
      </CountTable>
      <CountTable
        title={t('statistics.byHour')}
        name="hours-by-hour"
        {...{ from, to, sorting }}
        rows={hours_by_hour.filter((row) => row.hours > 0)}
        keyOf={({ hour }) => hour}
        columns={[
          { ...column('hour'), value: ({ hour }) => hour, cell: ({ hour }) => `SS+${hour}` },
          { ...column('hours'), value: (row) => row.hours },
        ]}
      >
        <Columns
          label={t('statistics.plot', { title: t('statistics.byHour') })}
          columns={hours_by_hour.map((row) => ({ name: `SS+${row.hour}`, value: row.hours }))}
        />
      </CountTable>
      <CountTable
        title={t('statistics.mostWanted')}
        name="wanted-spots"
        {...{ from, to, sorting }}
        rows={wanted_spots}
        keyOf={({ respawn_id }) => respawn_id}
        columns={[
          { ...column('spot'), value: ({ respawn_name }) => respawn_name },
          { ...column('asked'), value: ({ asked }) => asked },
          { ...column('got'), value: ({ got }) => got },
          { ...column('lost'), value: ({ lost }) => lost },
        ]}
      >
        <Top
          title={t('statistics.mostWanted')}
          rows={wanted_spots}
          groupOf={({ respawn_name, asked, got, lost }) => ({
            name: respawn_name,
            bars: [
              { value: asked, words: t('statistics.asked', { count: asked }), opacity: 1 },
              { value: got, words: t('statistics.got', { count: got }), opacity: 0.65 },
              { value: lost, words: t('statistics.lost', { count: lost }), opacity: 0.35 },
            ].filter(({ value }) => value > 0),
          })}
        />
      </CountTable>
      <CountTable
        title={t('statistics.noShows')}
        name="no-shows"
        {...{ from, to, sorting }}
        rows={no_shows}
        keyOf={({ character_name }) => character_name}
        columns={[
          { ...column('character'), value: ({ character_name }) => character_name },
          { ...column('noShows'), value: ({ count }) => count },
        ]}
      >
        <Top
          title={t('statistics.noShows')}
          rows={no_shows}
          groupOf={({ character_name, count }) => ({
            name: nameOf(character_name),
            isMine: isYou(character_name),
            bars: [{ value: count, words: String(count) }],
          })}
        />
      </CountTable>
    </>
  );
}

type ColumnName =
  | 'character'
  | 'type'
  | 'hours'
  | 'noShows'
  | 'hour'
  | 'spot'
  | 'asked'
  | 'got'
  | 'lost';

/** The first rows as bars, and how many more there are. */
function Top<R>({
  title,
  rows,
  groupOf,
}: {
  title: string;
  rows: readonly R[];
  groupOf: (row: R) => BarGroup;
}): ReactNode {
  const { t } = useTranslation();
  const groups = rows.map(groupOf).filter(({ isMine = false }, at) => at < MAX_DRAWN || isMine);
  const more = rows.length - groups.length;
  return (
    <>
      <Bars label={t('statistics.plot', { title })} groups={groups} />
      {more > 0 ? <p className={styles.more}>{t('statistics.more', { count: more })}</p> : null}
    </>
  );
}

interface CountColumn<R> {
  /** Its name in the address. */
  id: string;
  heading: string;
  /** Its CSV value. */
  value: (row: R) => CsvCell;
  /** Its content on the screen; without it, the value. */
  cell?: (row: R) => ReactNode;
}

interface CountTableProps<R> {
  title: string;
  /** The file name before its dates: "hours-by-member-2026-11-01-2026-11-21.csv". */
  name: string;
  from: string;
  to: string;
  /** In the server's order, highest count first. */
  rows: readonly R[];
  keyOf: (row: R) => string | number;
  /** The first names a row. */
  columns: readonly CountColumn<R>[];
  sorting: Sorting;
  /** The picture of the same numbers. */
  children: ReactNode;
}

/** A picture of numbers, and on demand their table; nothing where there are none. */
function CountTable<R>({
  title,
  name,
  from,
  to,
  rows: unsorted,
  keyOf,
  columns,
  sorting,
  children,
}: CountTableProps<R>): ReactNode {
  const { t } = useTranslation();
  const sort = sorting.of(name);
  const rows = sorted(unsorted, columns, sort);
  const [first] = rows;
  const save = (): void => {
    const cells = rows.map((row) => columns.map(({ value }) => value(row)));
    saveFile(
      `${name}-${from}-${to}.csv`,
      toCsv(
        columns.map(({ heading }) => heading),
        cells,
      ),
      'text/csv',
    );
  };
  if (rows.length === 0) return null;
  return (
    <Panel title={title} className={styles.counted}>
      {children}
      <details open={sort !== null || undefined}>
        <summary>{t('statistics.showTable')}</summary>
        <Stack className={styles.numbers}>
          <section
            className={styles.scroll}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
            tabIndex={0}
            aria-label={t('statistics.table', { title })}
          >
            <table className={styles.table}>
              <caption className="visually-hidden">{title}</caption>
              <thead>
                <tr>
                  {columns.map(({ id, heading, value }) => {
                    const isNumber = first !== undefined && typeof value(first) === 'number';
                    const isSorted = sort?.id === id;
                    const desc = isSorted ? !sort.desc : isNumber;
                    return (
                      <th
                        key={id}
                        scope="col"
                        aria-sort={isSorted ? (sort.desc ? 'descending' : 'ascending') : 'none'}
                        className={isNumber ? styles.number : undefined}
                      >
                        <button
                          type="button"
                          className={classes(styles.sort, isSorted && styles.sorted)}
                          onClick={() => sorting.choose(name, { id, desc })}
                        >
                          {heading}
                          {/* Decorative: aria-sort has the same meaning. An unsorted column shows the order a press would choose. */}
                          <span
                            className={styles.arrow}
                            data-arrow={(isSorted ? sort.desc : desc) ? '↓' : '↑'}
                          />
                        </button>
                      </th>
                    );
                  })}
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={keyOf(row)} row={row} columns={columns} />
                ))}
              </tbody>
            </table>
          </section>
          <Button small onClick={save} aria-label={t('statistics.downloadName', { title })}>
            {t('statistics.download')}
          </Button>
        </Stack>
      </details>
    </Panel>
  );
}

function Row<R>({ row, columns }: { row: R; columns: readonly CountColumn<R>[] }): ReactNode {
  return (
    <tr>
      {columns.map(({ id, value, cell }, at) => {
        const content = cell ? cell(row) : value(row);
        return at === 0 ? (
          <th key={id} scope="row">
            {content}
          </th>
        ) : (
          <td key={id} className={typeof value(row) === 'number' ? styles.number : undefined}>
            {content}
          </td>
        );
      })}
    </tr>
  );
}

interface Sorting {
  /** null: the server's order. */
  of: (table: string) => Sort | null;
  choose: (table: string, sort: Sort) => void;
}

const PARAMETERS = ['sort'];

/** The order of each table, in the address: `?sort=no-shows.character.asc,wanted-spots.lost.desc`. */
function useSorting(): Sorting {
  const [{ sort = '' }, change] = useQueryState(PARAMETERS);
  const chosen = new Map(sort.split(',').map((one) => [one.split('.')[0] ?? '', one]));
  return {
    of: (table) => {
      const [, id, order] = chosen.get(table)?.split('.') ?? [];
      return id ? { id, desc: order === 'desc' } : null;
    },
    choose: (table, { id, desc }) => {
      const next = new Map(chosen).set(table, `${table}.${id}.${desc ? 'desc' : 'asc'}`);
      next.delete('');
      change({ sort: [...next.values()].join(',') });
    },
  };
}

interface Column<R> {
  id: string;
  value: (row: R) => CsvCell;
}

/** A stable sort by a column; an unknown column changes nothing. */
function sorted<R>(
  rows: readonly R[],
  columns: readonly Column<R>[],
  sort: Sort | null,
): readonly R[] {
  const value = columns.find(({ id }) => id === sort?.id)?.value;
  if (!value || !sort) return rows;
  return sortRecords(rows, (row) => value(row) ?? '', sort.desc);
}

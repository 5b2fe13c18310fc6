import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Statistics } from '../../../shared/schemas/statistics.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { MemberTypeBadge } from '../../ui/member-type-badge.tsx';
import { Counted } from './counted.tsx';
import type { BarGroup } from './plot/bars.tsx';
import { useSorting } from './sorting.ts';
import styles from './statistics.module.css';

// What draws is larger than the page: the numbers are there before it.
const Bars = lazyPart(async () => (await import('./plot/bars.tsx')).Bars);
const Columns = lazyPart(async () => (await import('./plot/columns.tsx')).Columns);

/** So many are drawn; the table has all. */
const MOST_DRAWN = 10;

export function AllCounted({ statistics }: { statistics: Statistics }): ReactNode {
  const { t } = useTranslation();
  const { from, to, hours_by_member, hours_by_type, hours_by_hour, wanted_spots, no_shows } = statistics;
  const hours = (count: number): string => t('statistics.hours', { count });
  const column = (id: ColumnName): { id: ColumnName; heading: string } => ({ id, heading: t(`statistics.columns.${id}`) });
  const sorting = useSorting();
  const badge = ({ member_type }: { member_type: string }): ReactNode => <MemberTypeBadge memberType={member_type} />;
  return (
    <>
      <Counted
        title={t('statistics.byMember')}
        name="hours-by-member"
        {...{ from, to, sorting }}
        rows={hours_by_member}
        keyOf={({ character_name }) => character_name}
        none={t('statistics.noHours')}
        columns={[
          { ...column('character'), value: ({ character_name }) => character_name },
          { ...column('type'), value: ({ member_type }) => member_type, cell: badge },
          { ...column('hours'), value: (row) => row.hours },
          { ...column('noShows'), value: (row) => row.no_shows },
        ]}
      >
        <Top
          title={t('statistics.byMember')}
          rows={hours_by_member}
          groupOf={(row) => ({
            name: `${row.character_name} · ${row.member_type}`,
            bars: [{ value: row.hours, words: hours(row.hours) }],
          })}
        />
      </Counted>
      <Counted
        title={t('statistics.byType')}
        name="hours-by-type"
        {...{ from, to, sorting }}
        rows={hours_by_type}
        keyOf={({ member_type }) => member_type}
        none={t('statistics.noHours')}
        columns={[
          { ...column('type'), value: ({ member_type }) => member_type, cell: badge },
          { ...column('hours'), value: (row) => row.hours },
        ]}
      >
        <Top
          title={t('statistics.byType')}
          rows={hours_by_type}
          groupOf={(row) => ({ name: row.member_type, bars: [{ value: row.hours, words: hours(row.hours) }] })}
        />
      </Counted>
      <Counted
        title={t('statistics.byHour')}
        name="hours-by-hour"
        {...{ from, to, sorting }}
        rows={hours_by_hour}
        keyOf={({ hour }) => hour}
        none={t('statistics.noHours')}
        columns={[
          { ...column('hour'), value: ({ hour }) => hour, cell: ({ hour }) => `SS+${hour}` },
          { ...column('hours'), value: (row) => row.hours },
        ]}
      >
        <Columns
          label={t('statistics.plot', { title: t('statistics.byHour') })}
          columns={hours_by_hour.map((row) => ({ name: `SS+${row.hour}`, value: row.hours }))}
        />
      </Counted>
      <Counted
        title={t('statistics.wanted')}
        name="wanted-spots"
        {...{ from, to, sorting }}
        rows={wanted_spots}
        keyOf={({ respawn_id }) => respawn_id}
        none={t('statistics.noWanted')}
        columns={[
          { ...column('spot'), value: ({ respawn_name }) => respawn_name },
          { ...column('asked'), value: ({ asked }) => asked },
          { ...column('got'), value: ({ got }) => got },
          { ...column('lost'), value: ({ lost }) => lost },
        ]}
      >
        <Top
          title={t('statistics.wanted')}
          rows={wanted_spots}
          groupOf={({ respawn_name, asked, got, lost }) => ({
            name: respawn_name,
            bars: [
              { value: asked, words: t('statistics.asked', { count: asked }) },
              { value: got, words: t('statistics.got', { count: got }) },
              { value: lost, words: t('statistics.lost', { count: lost }) },
            ],
          })}
        />
      </Counted>
      <Counted
        title={t('statistics.noShows')}
        name="no-shows"
        {...{ from, to, sorting }}
        rows={no_shows}
        keyOf={({ character_name }) => character_name}
        none={t('statistics.noNoShows')}
        columns={[
          { ...column('character'), value: ({ character_name }) => character_name },
          { ...column('noShows'), value: ({ count }) => count },
        ]}
      >
        <Top
          title={t('statistics.noShows')}
          rows={no_shows}
          groupOf={({ character_name, count }) => ({ name: character_name, bars: [{ value: count, words: String(count) }] })}
        />
      </Counted>
    </>
  );
}

type ColumnName = 'character' | 'type' | 'hours' | 'noShows' | 'hour' | 'spot' | 'asked' | 'got' | 'lost';

/** The first of a list as bars, and how many more there are. */
function Top<R>({ title, rows, groupOf }: { title: string; rows: readonly R[]; groupOf: (row: R) => BarGroup }): ReactNode {
  const { t } = useTranslation();
  const more = rows.length - MOST_DRAWN;
  return (
    <>
      <Bars label={t('statistics.plot', { title })} groups={rows.slice(0, MOST_DRAWN).map(groupOf)} />
      {more > 0 ? <p className={styles.more}>{t('statistics.more', { count: more })}</p> : null}
    </>
  );
}

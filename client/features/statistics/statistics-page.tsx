import { skipToken } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import { MAX_PAGE } from '../../../shared/schemas/fields.ts';
import {
  type Statistics,
  type StatisticsQuery,
  statisticsQuery,
} from '../../../shared/schemas/statistics.ts';
import { getArchivedEvents } from '../../api/admin-calls.ts';
import { getStatistics } from '../../api/calls.ts';
import { useServerQuery, useServerQueryKeepingLast } from '../../api/query.ts';
import { usePageTitle } from '../../lib/page-title.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useQueryState } from '../../lib/use-query-state.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { useBoard } from '../../state/board-store.ts';
import { useMaySeeBoard } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import { FailedLoad } from '../../ui/alert.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DateInput } from '../../ui/fields/date-input.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { VisitorPage } from '../../ui/visitor-page.tsx';
import styles from './statistics.module.css';
import { StatisticsTables } from './statistics-tables.tsx';

/** Hours by member, wanted spots and no-shows of an event or a period. */
export function StatisticsPage(): ReactNode {
  const { t } = useTranslation();
  const title = t('statistics.title');
  usePageTitle(title);
  const isChecked = useSession((session) => session.status === 'ready');
  // Which fields there are depends on the active event.
  const isHere = useBoard(({ status, failure }) => status === 'ready' || failure !== null);
  const maySee = useMaySeeBoard();
  if (isChecked && !maySee)
    return (
      <VisitorPage title={t('statistics.signedOut.title')} text={t('statistics.signedOut.text')} />
    );
  return (
    <div className={styles.page}>
      <h1>{title}</h1>
      {isChecked && isHere ? <Content /> : <StatisticsSkeleton />}
    </div>
  );
}

function Content(): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const period = usePeriod();
  const { query } = period;
  const {
    data: statistics,
    isFetching,
    error,
    refetch,
  } = useServerQueryKeepingLast({
    queryKey: ['statistics', query],
    queryFn: query ? ({ signal }) => getStatistics(query, signal) : skipToken,
  });
  return (
    <>
      <PeriodFields period={period} answer={statistics ?? null} />
      {error && !isFetching ? (
        <FailedLoad
          sentence={t('statistics.failed')}
          reason={errorText(error)}
          onTryAgain={() => void refetch()}
        />
      ) : null}
      {statistics ? (
        <div className={styles.answer} aria-busy={isFetching}>
          <CountedDates statistics={statistics} />
          {isEmpty(statistics) ? (
            <EmptyState title={t('statistics.empty')} text={t('statistics.emptyText')} />
          ) : (
            <StatisticsTables statistics={statistics} />
          )}
        </div>
      ) : isFetching ? (
        <StatisticsSkeleton />
      ) : null}
    </>
  );
}

function CountedDates({
  statistics: { from, to, standing_hours, transfers },
}: {
  statistics: Statistics;
}): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const day = (date: string): string => dayText(date, 'dateAndYear');
  return (
    <p role="status" className="muted">
      {t('statistics.counted', { from: day(from), to: day(to) })}
      {standing_hours > 0 ? ` · ${t('statistics.weeklyHours', { count: standing_hours })}` : null}
      {transfers.handed_over > 0
        ? ` · ${t('statistics.handedOver', { count: transfers.handed_over })}`
        : null}
      {transfers.swapped > 0 ? ` · ${t('statistics.swapped', { count: transfers.swapped })}` : null}
    </p>
  );
}

const isEmpty = ({ hours_by_member, wanted_spots, no_shows }: Statistics): boolean =>
  hours_by_member.length === 0 && wanted_spots.length === 0 && no_shows.length === 0;

function StatisticsSkeleton(): ReactNode {
  return (
    <Panel>
      <Loading>
        <Skeleton height={320} />
      </Loading>
    </Panel>
  );
}

const DATES = 'dates';

/** @param props.shown the last answer, whose dates are proposed when dates are chosen */
function PeriodFields({
  period,
  answer,
}: {
  period: Period;
  answer: Pick<Statistics, 'event_id' | 'event_name' | 'from' | 'to'> | null;
}): ReactNode {
  const { t } = useTranslation();
  const { eventId, events, chooseEvent, chooseDates } = period;
  const from = period.from || (period.to ? '' : (answer?.from ?? ''));
  const to = period.to || (period.from ? '' : (answer?.to ?? ''));
  const isAdmin = useSession((session) => session.admin !== null);
  // Only admins may list archived events. If it fails, dates can still be chosen.
  const { data: archived = [] } = useServerQuery({
    queryKey: ['archived events'],
    queryFn: isAdmin
      ? async ({ signal }) => (await getArchivedEvents({ limit: MAX_PAGE }, signal)).records
      : skipToken,
  });
  const known = [...events, ...archived].some(({ id }) => id === eventId);
  // The answer names an event that this browser doesn't know.
  const answeredName = answer?.event_id === eventId ? answer?.event_name : null;
  const group = t('statistics.period.archived');
  return (
    <Panel>
      <div className={styles.period}>
        <Field label={t('statistics.period.label')}>
          <Select
            value={eventId === null ? DATES : String(eventId)}
            options={[
              ...events.map(({ id, name, is_active }) => ({
                value: String(id),
                label: is_active ? t('statistics.period.active', { name }) : name,
              })),
              ...(known || eventId === null
                ? []
                : [
                    {
                      value: String(eventId),
                      label: answeredName ?? t('statistics.period.event', { id: eventId }),
                    },
                  ]),
              { value: DATES, label: t('statistics.period.dates') },
              ...archived.map(({ id, name }) => ({ value: String(id), label: name, group })),
            ]}
            onChange={(value) =>
              value === DATES ? chooseDates(from, to) : chooseEvent(Number(value))
            }
          />
        </Field>
        {eventId === null ? (
          <>
            <Field
              label={t('statistics.period.from')}
              error={period.query ? null : t('statistics.period.invalid', { days: MAX_EVENT_DAYS })}
            >
              <DateInput
                value={from}
                max={to || undefined}
                onChange={(event) => chooseDates(event.target.value, to)}
              />
            </Field>
            <Field label={t('statistics.period.to')}>
              <DateInput
                value={to}
                min={from || undefined}
                onChange={(event) => chooseDates(from, event.target.value)}
              />
            </Field>
          </>
        ) : null}
      </div>
    </Panel>
  );
}

const PARAMETERS = ['event', 'from', 'to'];

interface Period {
  /** null: dates are chosen, or nothing is. */
  eventId: number | null;
  /** As typed; empty if none. */
  from: string;
  to: string;
  /** null: the dates are incomplete, or the period is too long. */
  query: StatisticsQuery | null;
  /** The events to choose from, the active one first; members know no other. */
  events: readonly Event[];
  chooseEvent: (id: number) => void;
  chooseDates: (from: string, to: string) => void;
}

/**
 * The period in the address: `?event=12` or `?from=2026-11-01&to=2026-11-21`. Without either, the server counts the active event,
 * else the last days. An invalid event is ignored.
 */
function usePeriod(): Period {
  const [{ event = '', from = '', to = '' }, change] = useQueryState(PARAMETERS);
  const byId = useBoard((board) => board.byKind.event);
  const events = [...byId.values()].sort(
    (a, b) => b.is_active - a.is_active || b.start_time.localeCompare(a.start_time),
  );
  const isOfDates = from !== '' || to !== '';
  const parsed = statisticsQuery.safeParse({ event_id: event });
  const known = parsed.success ? (parsed.data.event_id ?? null) : null;
  const active = events.find(({ is_active }) => is_active === 1);
  const dates = statisticsQuery.safeParse({ from, to });
  return {
    eventId: isOfDates ? null : (known ?? active?.id ?? null),
    from,
    to,
    query: isOfDates
      ? dates.success
        ? dates.data
        : null
      : known === null
        ? {}
        : { event_id: known },
    events,
    chooseEvent: (id) => change({ event: String(id), from: '', to: '' }),
    chooseDates: (first, last) => change({ event: '', from: first, to: last }),
  };
}

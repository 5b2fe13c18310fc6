import { skipToken } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MAX_EVENT_DAYS } from '../../../shared/rules/event-period.ts';
import { MAX_PAGE } from '../../../shared/schemas/fields.ts';
import type { Statistics } from '../../../shared/schemas/statistics.ts';
import { getArchivedEvents } from '../../api/calls.ts';
import { useServerQuery } from '../../api/query.ts';
import { useSession } from '../../state/session-store.ts';
import { DateInput } from '../../ui/fields/date-input.tsx';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './statistics.module.css';
import type { Period } from './use-period.ts';

const DATES = 'dates';

/**
 * Of which event, or of which dates.
 * @param shown what was counted last: whoever goes over to dates begins with those
 */
export function PeriodFields({
  period,
  shown,
}: {
  period: Period;
  shown: Pick<Statistics, 'event_id' | 'event_name' | 'from' | 'to'> | null;
}): ReactNode {
  const { t } = useTranslation();
  const { eventId, events, chooseEvent, chooseDates } = period;
  const from = period.from || (period.to ? '' : (shown?.from ?? ''));
  const to = period.to || (period.from ? '' : (shown?.to ?? ''));
  const isAdmin = useSession((session) => session.admin !== null);
  // Archived events are for admins; without an answer, dates can still be chosen.
  const { data: archived = [] } = useServerQuery({
    queryKey: ['archived events'],
    queryFn: isAdmin ? async ({ signal }) => (await getArchivedEvents({ limit: MAX_PAGE }, signal)).records : skipToken,
  });
  const known = [...events, ...archived].some(({ id }) => id === eventId);
  // Of an event that this browser does not know, the answer tells the name.
  const told = shown?.event_id === eventId ? shown?.event_name : null;
  const group = t('statistics.period.archived');
  return (
    <Panel>
      <div className={styles.period}>
        <Field label={t('statistics.period.of')}>
          <Select
            value={eventId === null ? DATES : String(eventId)}
            options={[
              ...events.map(({ id, name, is_active }) => ({
                value: String(id),
                label: is_active ? t('statistics.period.active', { name }) : name,
              })),
              ...(known || eventId === null
                ? []
                : [{ value: String(eventId), label: told ?? t('statistics.period.event', { id: eventId }) }]),
              { value: DATES, label: t('statistics.period.dates') },
              ...archived.map(({ id, name }) => ({ value: String(id), label: name, group })),
            ]}
            onChange={(value) => (value === DATES ? chooseDates(from, to) : chooseEvent(Number(value)))}
          />
        </Field>
        {eventId === null ? (
          <>
            <Field label={t('statistics.period.from')} error={period.query ? null : t('statistics.period.wrong', { days: MAX_EVENT_DAYS })}>
              <DateInput value={from} max={to || undefined} onChange={(event) => chooseDates(event.target.value, to)} />
            </Field>
            <Field label={t('statistics.period.to')}>
              <DateInput value={to} min={from || undefined} onChange={(event) => chooseDates(from, event.target.value)} />
            </Field>
          </>
        ) : null}
      </div>
    </Panel>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { useBoard } from '../../../store/board-store.ts';
import { useLocalTime } from '../../../ui/local-time.ts';
import type { RowView } from '../state/row-view.ts';
import styles from './claim-summary.module.css';
import { useRowName } from './use-row-name.ts';

/** A date of the claim as it will be: its hours, both parts where it is split, and what waits beside it. */
export function SummaryRow({ view }: { view: RowView }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const { row, period, parts, waiting, problem } = view;
  const name = useRowName()(view, period.first !== period.last);
  const nameOf = (respawn_id: number | null): string | undefined => (respawn_id === null ? undefined : respawns.get(respawn_id)?.name);
  if (parts.length === 0 || problem?.of === 'character-has-claim') {
    return (
      <div>
        <dt>{name}</dt>
        <dd className={styles.missing}>{t('submit.summary.noHours')}</dd>
      </div>
    );
  }
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">
        {parts.map((part) => (
          <div key={part.part_number} className={styles.part}>
            {row.split ? (
              <span className={styles.where}>
                {t('submit.split.partAt', { part: part.part_number, respawn: nameOf(part.respawn_id) ?? '—' })}
              </span>
            ) : null}
            <SummaryHours date={view.period.first} hours={part} isLost={problem !== null} />
          </div>
        ))}
        {waiting ? (
          <div className={styles.part}>
            <span className={styles.where}>
              {t('submit.secondary.at', { priority: waiting.priority, respawn: nameOf(waiting.respawn_id) ?? '—' })}
            </span>
            <SummaryHours date={view.period.first} hours={waiting} isLost={false} />
          </div>
        ) : null}
      </dd>
    </div>
  );
}

function SummaryHours({ date, hours, isLost }: { date: string; hours: HourRange; isLost: boolean }): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const { hour_start, hour_end } = hours;
  return (
    <>
      <span className={isLost ? styles.lost : styles.hours}>{t('time.range', { start: hour_start, end: hour_end })}</span>
      {hour_end > HOURS_IN_DAY ? null : (
        <span className={styles.local}>{t('time.yoursRange', { start: localTime(date, hour_start), end: localTime(date, hour_end) })}</span>
      )}
    </>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import type { FormAction } from '../draft/form-state.ts';
import type { RowView } from '../draft/row-view.ts';
import styles from './row-extras.module.css';

/** What a date is beside a regular claim, each with the way back to one. */
export function RowExtras({ view, change }: { view: RowView; change: (action: FormAction) => void }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const { row, parts, waiting } = view;
  const { date } = row;
  const nameOf = (respawn_id: number | null): string => (respawn_id === null ? undefined : respawns.get(respawn_id)?.name) ?? '—';
  return (
    <>
      {row.split ? (
        <div className={styles.extra}>
          <ul className={styles.lines} aria-label={t('submit.split.name')}>
            {parts.map((part) => (
              <li key={part.part_number} className={styles.line}>
                <span className={styles.word}>{t('submit.split.part', { part: part.part_number })}</span>
                <span className={styles.spot}>{nameOf(part.respawn_id)}</span>
                <HoursText date={view.period.first} start={part.hour_start} end={part.hour_end} />
              </li>
            ))}
          </ul>
          <Button small data-cancel onClick={() => change({ type: 'split-changed', date, split: null })}>
            {t('submit.split.cancel')}
          </Button>
        </div>
      ) : null}
      {waiting ? (
        <div className={styles.extra}>
          <ul className={styles.lines} aria-label={t('submit.secondary.name')}>
            <li className={styles.line}>
              <span className={classes(styles.word, styles.heading)}>
                {t('submit.secondary.name')} <Badge tone="accent">{t('submit.day.priority', { priority: waiting.priority })}</Badge>
              </span>
              <span className={styles.spot}>{nameOf(waiting.respawn_id)}</span>
              <HoursText date={view.period.first} start={waiting.hour_start} end={waiting.hour_end} />
            </li>
          </ul>
          <Button small data-cancel onClick={() => change({ type: 'secondary-changed', date, secondary: null })}>
            {t('submit.secondary.cancel')}
          </Button>
        </div>
      ) : null}
    </>
  );
}

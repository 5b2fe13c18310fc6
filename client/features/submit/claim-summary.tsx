import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../lib/error-text.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useLocalTime } from '../../ui/local-time.ts';
import { Panel } from '../../ui/panel.tsx';
import styles from './claim-summary.module.css';
import { useBlockedText } from './problem-text.ts';
import type { ClaimForm, RowView } from './use-claim-form.ts';
import { useShortDate } from './use-short-date.ts';

/** The claim as it will be, always in view, with the one button. */
export function ClaimSummary({ form, character_name }: { form: ClaimForm; character_name: string }): ReactNode {
  const { t } = useTranslation();
  const { respawn, rows, submission } = form;
  return (
    <Panel title={t('submit.summary.title')} className={styles.summary}>
      <dl className={styles.list}>
        <div className={styles.character}>
          <dt>{t('submit.summary.character')}</dt>
          <dd>{character_name}</dd>
        </div>
        <div>
          <dt>{t('submit.summary.spot')}</dt>
          <dd>{respawn?.name ?? <span className={styles.missing}>{t('submit.summary.noSpot')}</span>}</dd>
        </div>
        {rows.map((view) => (
          <SummaryRow key={view.row.date} view={view} />
        ))}
      </dl>
      {rows.length === 0 ? <p className={styles.missing}>{t('submit.summary.noDates')}</p> : null}
      <WhyNot form={form} />
      <Button type="submit" variant="primary" wide busy={submission.status === 'busy'} disabled={form.blocked !== null}>
        {t('submit.summary.button', { count: rows.length })}
      </Button>
    </Panel>
  );
}

function SummaryRow({ view: { row, dates, duration, problem } }: { view: RowView }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const localTime = useLocalTime();
  const last = dates.at(-1) ?? row.date;
  const name = last === row.date ? shortDate(row.date) : t('submit.event.period', { start: shortDate(row.date), end: shortDate(last) });
  if (row.hour_start === null || problem?.of === 'character-has-claim') {
    return (
      <div>
        <dt>{name}</dt>
        <dd className={styles.missing}>{t('submit.summary.noHours')}</dd>
      </div>
    );
  }
  const end = row.hour_start + duration;
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">
        <span className={problem ? styles.lost : styles.hours}>{t('time.range', { start: row.hour_start, end })}</span>
        {problem?.of === 'exceeds-day' ? null : (
          <span className={styles.local}>
            {t('time.yoursRange', { start: localTime(row.date, row.hour_start), end: localTime(row.date, end) })}
          </span>
        )}
      </dd>
    </div>
  );
}

/** Why the button cannot be pressed, or what came of pressing it. */
function WhyNot({ form: { blocked, submission } }: { form: ClaimForm }): ReactNode {
  const errorText = useErrorText();
  const blockedText = useBlockedText();
  const refused = submission.status === 'refused' || submission.status === 'unsure';
  if (!refused && !blocked) return null;
  return (
    <div className={styles.why}>
      {refused ? <Alert tone="bad">{errorText(submission.error)}</Alert> : null}
      {blocked ? <p className={styles.blocked}>{blockedText(blocked.problem, blocked.date)}</p> : null}
    </div>
  );
}

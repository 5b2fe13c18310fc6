import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { hasReason, useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { useLocalHours } from '../../../ui/hours/hours-text.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useBlockedText, useRowName } from '../../claiming/claim-words.tsx';
import type { RowView } from '../../claiming/draft/row-view.ts';
import { claimCount } from '../../claiming/draft/submission-body.ts';
import { BudgetLine } from './budget-line.tsx';
import styles from './claim-summary.module.css';
import type { ClaimForm } from './use-claim-form.ts';

export interface ClaimSummaryProps {
  form: ClaimForm;
  character_name: string;
  member_type: string;
  /** Nothing can be submitted at the moment. */
  closed: boolean;
}

/** The claim as it will be, always in view, with the one button. */
export function ClaimSummary({ form, character_name, member_type, closed }: ClaimSummaryProps): ReactNode {
  const { t } = useTranslation();
  const { respawn, rows, submission, isOffline, blocked, needsRespawn } = form;
  const whyId = useId();
  // What was sent and may be stored can be sent again, whatever has changed since.
  const isUnsure = submission.status === 'unsure';
  const isLong = rows.reduce((lines, { parts, waiting }) => lines + parts.length + (waiting ? 1 : 0), 0) > 1;
  return (
    <Panel title={t('submit.summary.title')} className={styles.summary}>
      {/* A long list scrolls by itself, and the keyboard has to get there. */}
      <dl className={styles.list} tabIndex={isLong ? 0 : undefined}>
        <div className={styles.character}>
          <dt>{t('submit.summary.character')}</dt>
          <dd title={character_name}>{character_name || <span className={styles.missing}>{t('submit.summary.noCharacter')}</span>}</dd>
        </div>
        {needsRespawn ? (
          <div className={styles.spot}>
            <dt>{t('submit.summary.spot')}</dt>
            <dd>{respawn?.name ?? <span className={styles.missing}>{t('submit.summary.noSpot')}</span>}</dd>
          </div>
        ) : null}
        {rows.map((view) => (
          <SummaryRow key={view.row.date} view={view} />
        ))}
      </dl>
      {rows.length === 0 ? <p className={styles.missing}>{t('submit.summary.noDates')}</p> : null}
      <BudgetLine character_name={character_name} member_type={member_type} />
      <WhyNot form={form} id={whyId} />
      <Button
        type="submit"
        variant="primary"
        wide
        busy={submission.status === 'busy'}
        // Not `disabled`: a claim of somebody else's must not take the focus away. Pressed all the same, it leads to the mistake.
        aria-disabled={!isUnsure && (closed || isOffline || blocked !== null)}
        aria-describedby={(blocked || isOffline) && !isUnsure ? whyId : undefined}
      >
        {t('submit.summary.button', { count: claimCount(rows.map(({ row }) => row)) })}
      </Button>
    </Panel>
  );
}

/** Why the button cannot be pressed, or what came of pressing it. */
function WhyNot({ form: { blocked, isOffline, submission }, id }: { form: ClaimForm; id: string }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const blockedText = useBlockedText();
  const refused = submission.status === 'refused' || submission.status === 'unsure';
  // What failed without a reason of its own; whether it failed at all is not known of an unsure one.
  const hasFailed = submission.status === 'refused' && !hasReason(submission.error);
  const whyNot = isOffline ? t('submit.offline') : blocked ? blockedText(blocked) : null;
  if (!refused && !whyNot) return null;
  return (
    <div className={styles.why}>
      {refused ? (
        <Alert tone="bad" title={hasFailed ? t('submit.failed') : null}>
          {errorText(submission.error)}
        </Alert>
      ) : null}
      {whyNot && submission.status !== 'unsure' ? (
        <p id={id} className={styles.blocked}>
          {whyNot}
        </p>
      ) : null}
    </div>
  );
}

/** A date of the claim as it will be: its hours, both parts where it is split, and what waits beside it. */
function SummaryRow({ view }: { view: RowView }): ReactNode {
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
  const localHours = useLocalHours();
  const { hour_start, hour_end } = hours;
  return (
    <>
      <span className={isLost ? styles.lost : styles.hours}>{t('time.range', { start: hour_start, end: hour_end })}</span>
      {hour_end > HOURS_IN_DAY ? null : <span className={styles.local}>{localHours(date, hour_start, hour_end)}</span>}
    </>
  );
}

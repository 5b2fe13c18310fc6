import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../state/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { heldFor, TakenText, useProblemText, useRowName, useShortDate } from '../claim-words.tsx';
import type { HeldClaim, RowProblem } from '../draft/row-check.ts';
import type { DateRowProps } from './date-row-props.ts';

/** What has to be said about a date at length: below its hours, which it does not move. */
export function RowMessages({ view, isWholeEvent, tried, askAgain }: DateRowProps): ReactNode {
  const { t } = useTranslation();
  const problemText = useProblemText();
  const rowName = useRowName();
  const isOffline = useBoard((board) => board.connection === 'offline');
  const { problem } = view;
  const retry = (
    <Button small onClick={askAgain}>
      {t('common.tryAgain')}
    </Button>
  );
  return (
    <>
      {view.isPast ? <Alert>{t('submit.admin.dateOver', { date: rowName(view, isWholeEvent) })}</Alert> : null}
      {view.claimsFailed ? (
        <Alert title={t(isWholeEvent ? 'submit.eventClaimsFailed' : 'submit.claimsFailed')} action={retry}>
          {t(isOffline ? 'submit.claimsUnknown' : 'submit.claimsFailedText')}
        </Alert>
      ) : null}
      {view.checkFailed ? <Alert title={t('submit.checkFailed')} action={retry} /> : null}
      {problem && (tried || problem.of !== 'hour-missing') ? (
        <Alert tone="bad" title={problemText(problem)}>
          <ProblemDetail problem={problem} isWholeEvent={isWholeEvent} />
        </Alert>
      ) : null}
    </>
  );
}

/** Who stands in the way. */
function ProblemDetail({ problem, isWholeEvent }: { problem: RowProblem; isWholeEvent: boolean }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const datesOf = ({ first_date, last_date }: HeldClaim): string =>
    first_date === last_date
      ? shortDate(first_date)
      : t('submit.event.period', { start: shortDate(first_date), end: shortDate(last_date) });
  if (problem.of === 'conflict') return <TakenText taken={problem.taken} isWholeEvent={isWholeEvent} />;
  if (problem.of !== 'character-has-claim') return null;
  return (
    <>
      <ul>
        {problem.held.map((claim) => {
          const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
          const words = { respawn: claim.respawn_name, hours };
          return (
            <li key={`${claim.first_date} ${claim.hour_start}`} className="tabular">
              {isWholeEvent ? t('submit.heldClaimOn', { ...words, date: datesOf(claim) }) : t('submit.heldClaim', words)}
            </li>
          );
        })}
      </ul>
      {heldFor(problem) ? <p>{t('submit.heldForText')}</p> : null}
    </>
  );
}

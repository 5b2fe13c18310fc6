import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { refreshQuery } from '../../api/query.ts';
import { putStanding } from '../../api/standing-calls.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useSkipReason } from '../../lib/words/weekly-claims.ts';
import { showToast } from '../../ui/toast.tsx';
import { useAction } from '../../ui/use-action.ts';

interface SkippedDatesProps {
  weeklyClaim: StandingClaim;
  className?: string | undefined;
}

/** The dates on which no claim was made, with the reasons; nothing if there are none. */
export function SkippedDates({
  weeklyClaim: { skipped },
  className,
}: SkippedDatesProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const reasonOf = useSkipReason();
  if (skipped.length === 0) return null;
  return (
    <details className={className}>
      <summary>{t('weeklyClaim.skipped', { count: skipped.length })}</summary>
      <ul>
        {skipped.map(({ date, code, wait_id }) => (
          <li key={date}>
            {dayText(date)}:{' '}
            {[reasonOf(code), ...(wait_id === null ? [] : [t('weeklyClaim.joined')])].join(', ')}
          </li>
        ))}
      </ul>
    </details>
  );
}

/**
 * Pauses a weekly claim, or resumes a paused one.
 * @param access_key of its character; null: an admin does it
 */
export function usePauseWeeklyClaim(
  { id, is_paused }: StandingClaim,
  spot: string,
  access_key: string | null,
): () => void {
  const { t } = useTranslation();
  const pause = useAction({
    work: () => putStanding(id, { is_paused: is_paused ? 0 : 1 }, access_key),
    done: async () => {
      await refreshQuery('weekly claims');
      showToast({
        text: t(is_paused ? 'weeklyClaim.done.resumed' : 'weeklyClaim.done.paused', { spot }),
      });
    },
    failed: (reason) => t('weeklyClaim.failed', { reason }),
  });
  return () => pause.run();
}

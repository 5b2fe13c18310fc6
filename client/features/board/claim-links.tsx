import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { useClaimRefusal } from '../../state/claimable.ts';
import { useClaimPage, useClaimsForOthers, useMembersClosed } from '../../state/permissions.ts';
import { Alert } from '../../ui/alert.tsx';
import { classes } from '../../ui/classes.ts';
import { useTip } from '../../ui/tooltip.tsx';
import { useRefusalText, useUpcomingText } from '../claiming/words.ts';
import styles from './board-page.module.css';

/** Why the viewer can claim nothing on a date, in words; null: they can. */
export function useClosedText(date: string | null): string | null {
  const { t } = useTranslation();
  const refusal = useClaimRefusal(date);
  const refusalText = useRefusalText();
  if (!refusal) return null;
  return refusal.code === 'claim.submissionDisabled'
    ? t('board.closed.title')
    : refusalText(refusal);
}

interface ClaimLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  /** The claim form's query string. */
  search: string;
  /** `useClosedText` for its date. */
  closed: string | null;
}

/** A link to the claim form. Where nothing can be claimed it is disabled and its tooltip says why. */
export function ClaimLink({
  search,
  closed,
  className,
  children,
  ...rest
}: ClaimLinkProps): ReactNode {
  const page = useClaimPage();
  const tip = useTip(closed ?? '');
  const { 'aria-label': label, tabIndex = 0 } = rest;
  // The same element, so that it keeps the focus when an admin closes claims.
  const shut = {
    role: 'link',
    tabIndex,
    title: undefined,
    'aria-disabled': true,
    'aria-label': label && `${label}. ${closed}`,
  };
  return (
    <a
      {...(closed ? tip : {})}
      {...rest}
      {...(closed ? shut : { href: page + search })}
      className={classes(closed && styles.closed, className)}
    >
      {children}
    </a>
  );
}

interface NoticeProps {
  /** The server-save date in view. */
  date: string;
  today: string;
  event: ActiveEvent | null;
}

/** Above the board: why nothing can be claimed, or that only days to come can. A day that is over says so on its cards. */
export function ClosedNotice({ date, today, event }: NoticeProps): ReactNode {
  const { t } = useTranslation();
  const isClosed = useMembersClosed();
  const forOthers = useClaimsForOthers();
  const refusal = useClaimRefusal(date);
  const refusalText = useRefusalText();
  const upcoming = useUpcomingText()(event, today);
  if (isClosed)
    return (
      <Alert tone="accent" className={styles.notice}>
        <strong>{t('board.closed.title')}.</strong>{' '}
        {t(forOthers ? 'board.closed.adminNote' : 'board.closed.text')}
      </Alert>
    );
  const text = refusal ? refusalText(refusal) : upcoming;
  if (text === null || refusal?.code === 'claim.dateOver') return null;
  return (
    <Alert tone="accent" className={styles.notice}>
      {text}
    </Alert>
  );
}

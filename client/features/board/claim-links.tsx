import type { ComponentProps, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  useClaimPage,
  useClaimsClosed,
  useClaimsForOthers,
  useMembersClosed,
} from '../../state/permissions.ts';
import { Alert } from '../../ui/alert.tsx';
import { classes } from '../../ui/classes.ts';
import { useTip } from '../../ui/tooltip.tsx';
import styles from './board-page.module.css';

interface ClaimLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'ref'> {
  /** The claim form's query string. */
  search: string;
  /** Shown instead of the children while claims are closed. */
  closed?: ReactNode;
}

/** A link to the claim form. While claims are closed it is disabled and its tooltip says so. */
export function ClaimLink({
  search,
  closed,
  className,
  children,
  ...rest
}: ClaimLinkProps): ReactNode {
  const { t } = useTranslation();
  const page = useClaimPage();
  const isClosed = useClaimsClosed();
  const sentence = t('board.closed.title');
  const tip = useTip(sentence);
  const { 'aria-label': label, tabIndex = 0 } = rest;
  // The same element, so that it keeps the focus when an admin closes claims.
  const shut = {
    role: 'link',
    tabIndex,
    title: undefined,
    'aria-disabled': true,
    'aria-label': label && `${label}. ${sentence}`,
  };
  return (
    <a
      {...(isClosed ? tip : {})}
      {...rest}
      {...(isClosed ? shut : { href: page + search })}
      className={classes(isClosed && styles.closed, className)}
    >
      {isClosed && closed ? closed : children}
    </a>
  );
}

/** Shown above the board while members can't submit claims. */
export function ClosedNotice(): ReactNode {
  const { t } = useTranslation();
  const isClosed = useMembersClosed();
  const forOthers = useClaimsForOthers();
  if (!isClosed) return null;
  return (
    <Alert tone="accent" className={styles.notice}>
      <strong>{t('board.closed.title')}.</strong>{' '}
      {t(forOthers ? 'board.closed.adminNote' : 'board.closed.text')}
    </Alert>
  );
}

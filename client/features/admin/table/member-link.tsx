import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { memberAddress } from '../../../lib/admin-tabs.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import tab from '../tab.module.css';

/** The history state of a member's page: the list it was opened from, with its filters. */
interface OpenedFrom {
  from: string;
}

const LIST = /^\/admin\/dashboard\/(\w+)(?=\?|$)/;

/** The list that a member's page was opened from: its tab, and its address with the filters. */
export function listIn(state: unknown): { tab: string; address: string } | null {
  if (
    typeof state !== 'object' ||
    state === null ||
    !('from' in state) ||
    typeof state.from !== 'string'
  )
    return null;
  const tabName = LIST.exec(state.from)?.[1];
  return tabName ? { tab: tabName, address: state.from } : null;
}

function useLinkTo(name: string): { to: string; state: OpenedFrom } {
  const { pathname, search } = useLocation();
  return { to: memberAddress(name), state: { from: pathname + search } };
}

/** A character's name in a list, which opens the member's page. */
export function MemberLink({ name }: { name: string }): ReactNode {
  return (
    <Link {...useLinkTo(name)} className={`${tab.member} subtle-link`}>
      {name}
    </Link>
  );
}

/** The same where the name itself leads to the game. */
export function MemberButton({ name }: { name: string }): ReactNode {
  const { t } = useTranslation();
  return (
    <ButtonLink
      small
      variant="quiet"
      {...useLinkTo(name)}
      aria-label={t('admin.member.openName', { name })}
    >
      {t('admin.member.open')}
    </ButtonLink>
  );
}

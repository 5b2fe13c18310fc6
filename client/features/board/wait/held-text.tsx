import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMinutesLeft } from '../../../store/minutes-left.ts';
import { Found } from '../cards/found.tsx';

interface HeldTextProps {
  name: string;
  /** null: a picture has no clock. */
  until: string | null;
  /** What is searched is marked. */
  search?: string;
}

/** "held for Arden, 7 min": it alone renders each minute. */
export function HeldText({ name, until, search = '' }: HeldTextProps): ReactNode {
  const { t } = useTranslation();
  return until === null ? (
    <Found text={t('board.wait.held', { name })} search={search} />
  ) : (
    <Running name={name} until={until} search={search} />
  );
}

function Running({ name, until, search }: { name: string; until: string; search: string }): ReactNode {
  const { t } = useTranslation();
  const minutes = useMinutesLeft(until);
  return <Found text={t('board.wait.heldMinutes', { name, minutes })} search={search} />;
}

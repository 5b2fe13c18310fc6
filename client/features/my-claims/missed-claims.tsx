import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { missedWarning } from '../../../shared/missed-words.ts';
import { useNearTimeText } from '../../lib/time-text.ts';
import { useBoard } from '../../state/board-store.ts';
import { useNow } from '../../state/clock.ts';
import { missedIn } from '../../state/missed-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';

/** R9.29: how many claims the connected character missed, before it can't claim and while it can't. */
export function MissedClaims(): ReactNode {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  const now = useNow();
  const name = useSession(({ current }) => current?.characterName ?? '');
  const hasSeveral = useSession(({ profiles }) => profiles.length > 1);
  const byKind = useBoard((board) => board.byKind);
  const missed = useBoard((board) => board.missed);
  const state = missedIn({ byKind, missed }, name, new Date(now));
  if (!state) return null;
  const { rules, count, pause } = state;
  const text = pause
    ? t('missedClaims.paused', {
        ...pause,
        until: nearTimeText(Date.parse(pause.until), now),
      })
    : missedWarning(t, rules, count);
  return (
    <Alert tone={pause ? 'bad' : 'accent'}>
      {hasSeveral ? t('missedClaims.ofCharacter', { name, text }) : text}
    </Alert>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { instantOf } from '../../../shared/rules/server-save.ts';
import { useInstantText } from '../../lib/time-text.ts';
import { serverNow, useServerSaveClock } from '../../state/clock.ts';
import { type Hunt, useOnline } from '../../state/online.ts';
import { Badge } from '../../ui/badge.tsx';
import styles from './claiming.module.css';

/** A mark beside a hunter who is online in the game. Whether others are offline, members don't see. */
export function OnlineMark({ hunt }: { hunt: Hunt }): ReactNode {
  const words = useOnlineWords(hunt);
  return words === null ? null : (
    <span role="img" aria-label={words} title={words} className={styles.online} />
  );
}

/** The same for admins, who also see since when the hunter of a running claim is offline. */
export function OnlineBadge({ hunt }: { hunt: Hunt }): ReactNode {
  const { t } = useTranslation();
  const instantText = useInstantText();
  const state = useOnline(hunt);
  if (!state) return null;
  if ('world' in state) return <OnlineMark hunt={hunt} />;
  const begins = instantOf(hunt.date, hunt.hour_start, useServerSaveClock.getState());
  if (begins > serverNow()) return null;
  return <Badge>{t('online.offlineSince', { time: instantText(state.since, 'clock') })}</Badge>;
}

/** null: not online, or unknown. */
export function useOnlineWords(hunt: Hunt): string | null {
  const { t } = useTranslation();
  const state = useOnline(hunt);
  return state && 'world' in state ? t('online.inWorld', { world: state.world }) : null;
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLoadFailure } from '../../../live/refresh.ts';
import { useMaySeeBoard } from '../../../live/use-live-board.ts';
import { useBoard } from '../../../state/board-store.ts';
import { usePresence } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { useTip } from '../../../ui/tooltip.tsx';
import styles from './navbar.module.css';

/** How fresh the board is, in a word, and how many watch it. Nothing for those who see no board. */
export function ConnectionSign(): ReactNode {
  const { t } = useTranslation();
  const connection = useBoard((board) => board.connection);
  const count = usePresence((presence) => presence.watching);
  const maySee = useMaySeeBoard();
  const failed = useFailedHint();
  const hint = failed ?? t(`shell.connection.${connection}Hint`);
  const watching = connection === 'live' && count ? t('board.presence.watching', { count }) : null;
  const tip = useTip(watching && count ? `${hint} ${t('board.presence.watchingHint', { count })}` : hint);
  if (!maySee) return null;
  return (
    <>
      <button {...tip} type="button" className={classes(styles.connection, styles[connection])}>
        <span className={styles.dot} aria-hidden="true" />
        <span className={styles.word}>{t(`shell.connection.${connection}`)}</span>
        {watching ? (
          <>
            <span className={styles.watching}> {watching}</span>
            <span className={styles.watchingCount} aria-hidden="true">
              {count}
            </span>
          </>
        ) : null}
      </button>
      <span role="status" className="visually-hidden">
        {connection === 'connecting' ? '' : hint}
      </span>
    </>
  );
}

/** What failed, where the server answers, but not with what was asked for. */
function useFailedHint(): string | null {
  const { t } = useTranslation();
  const failure = useLoadFailure();
  if (!failure || failure.isAway) return null;
  const why = failure.reason ? t('shell.ended.reason', { name: failure.sentence, reason: failure.reason }) : failure.sentence;
  return t('shell.connection.failedHint', { failure: why.replace(/\.$/, '') });
}

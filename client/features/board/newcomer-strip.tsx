import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { localStore } from '../../lib/storage.ts';
import { useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { openOverlay } from '../../state/overlays.ts';
import { claimsOfCharacters } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { useLocalTime } from '../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Cluster } from '../../ui/layout.tsx';
import styles from './board.module.css';

const KEPT_AS = 'guide-read';

interface Newcomer {
  isNew: boolean;
  dismiss: () => void;
}

/** Whether to tell the viewer how the board works: a member, until they dismiss it or a character here has a claim; never again then. */
export function useNewcomer(): Newcomer {
  const [isUnread, setIsUnread] = useState(() => localStore.getItem(KEPT_AS) === null);
  const isMember = useSession((session) => session.current !== null);
  const profiles = useSession((session) => session.profiles);
  const isAsked = isUnread && isMember;
  const hasClaim = useBoard((board) => {
    const names = profiles.map(({ characterName }) => nameKey(characterName));
    return isAsked && claimsOfCharacters(names, board).length > 0;
  });
  if (hasClaim) setIsUnread(false);
  useEffect(() => {
    if (!isUnread) localStore.setItem(KEPT_AS, '1');
  }, [isUnread]);
  return { isNew: isAsked && !hasClaim, dismiss: () => setIsUnread(false) };
}

/** Says what SS means and how hours are claimed. */
export function NewcomerStrip({ onDismiss }: { onDismiss: () => void }): ReactNode {
  const { t } = useTranslation();
  const { date } = useServerSaveTime();
  const localTime = useLocalTime();
  const read = (): void => {
    onDismiss();
    openOverlay('help', {});
  };
  return (
    <Alert
      className={styles.notice}
      action={
        <Cluster>
          <Button small onClick={read}>
            {t('board.help.title')}
          </Button>
          <IconButton
            small
            label={t('board.help.hide')}
            icon={<CloseIcon size={14} />}
            onClick={onDismiss}
          />
        </Cluster>
      }
    >
      {t('board.help.short', { save: localTime(date, 0, 0) })}
    </Alert>
  );
}

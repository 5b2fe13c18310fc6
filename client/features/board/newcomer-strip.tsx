import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../shared/rules/names.ts';
import { localStore } from '../../lib/storage.ts';
import { useBoard } from '../../state/board-store.ts';
import { openOverlay } from '../../state/overlays.ts';
import { claimsOfCharacters } from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { Cluster } from '../../ui/layout.tsx';
import styles from './board.module.css';

const KEPT_AS = 'guide-read';

/** Says what SS means and how hours are claimed, until it is dismissed or a character here has a claim. */
export function NewcomerStrip(): ReactNode {
  const [isOpen, setIsOpen] = useState(() => localStore.getItem(KEPT_AS) === null);
  const isMember = useSession((session) => session.current !== null);
  const dismiss = (): void => {
    localStore.setItem(KEPT_AS, '1');
    setIsOpen(false);
  };
  return isOpen && isMember ? <Strip onDismiss={dismiss} /> : null;
}

function Strip({ onDismiss }: { onDismiss: () => void }): ReactNode {
  const { t } = useTranslation();
  const profiles = useSession((session) => session.profiles);
  const isNew = useBoard(
    ({ claimsByRespawn }) =>
      claimsOfCharacters(
        profiles.map(({ characterName }) => nameKey(characterName)),
        claimsByRespawn,
      ).length === 0,
  );
  if (!isNew) return null;
  const read = (): void => {
    onDismiss();
    openOverlay('guide', {});
  };
  return (
    <Alert
      className={styles.notice}
      action={
        <Cluster>
          <Button small onClick={read}>
            {t('board.guide.title')}
          </Button>
          <IconButton small label={t('board.guide.hide')} icon={<CloseIcon size={14} />} onClick={onDismiss} />
        </Cluster>
      }
    >
      {t('board.guide.short')}
    </Alert>
  );
}

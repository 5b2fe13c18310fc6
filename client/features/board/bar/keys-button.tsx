import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/button.tsx';
import styles from './bar.module.css';

/** For those who do not know yet that there are keys. */
export function KeysButton({ onPress }: { onPress: () => void }): ReactNode {
  const { t } = useTranslation();
  return <IconButton label={t('board.keys.open')} icon={<kbd>?</kbd>} className={styles.keys} onClick={onPress} />;
}

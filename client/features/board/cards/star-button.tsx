import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { toggleStar, useIsStarred } from '../../../state/stars.ts';
import { StarIcon } from '../../../ui/icons.tsx';
import styles from './star-button.module.css';

/** Gives the spot a star, or takes it away. Which it is, is said by its state: its name stays. */
export function StarButton({ id, name }: { id: number; name: string }): ReactNode {
  const { t } = useTranslation();
  const starred = useIsStarred(id);
  return (
    <button
      type="button"
      className={styles.star}
      aria-pressed={starred}
      aria-label={t('board.star', { name })}
      title={t(starred ? 'board.starred' : 'board.unstarred')}
      onClick={() => toggleStar(id)}
    >
      <StarIcon />
    </button>
  );
}

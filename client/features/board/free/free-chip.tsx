import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { FreeAt } from '../../../../shared/rules/free-at.ts';
import { CloseIcon } from '../../../ui/icons.tsx';
import styles from './free.module.css';

/** On a phone, where the row is among the filters: what is looked for, and a press that ends it. */
export function FreeChip({ asked, onClear }: { asked: FreeAt; onClear: () => void }): ReactNode {
  const { t } = useTranslation();
  const words = t('board.freeAt.chip', { hour: asked.hour_start, count: asked.duration });
  return (
    <button type="button" className={styles.chip} aria-label={`${words}. ${t('board.freeAt.clear')}`} onClick={onClear}>
      {words} <CloseIcon size={12} />
    </button>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button.tsx';
import { CloseIcon } from '../icons.tsx';
import { useOwnHeight } from '../use-own-height.ts';
import styles from './selection.module.css';
import type { Selection } from './use-selection.ts';

interface SelectionBarProps {
  selection: Selection;
  /** The ids of the rows that are listed. */
  order: readonly string[];
  /** What can be done with what is selected. */
  children: ReactNode;
}

/** How much is selected, what of it the filter hides, and what can be done with it. It stays in view below the list. */
export function SelectionBar({ selection, order, children }: SelectionBarProps): ReactNode {
  const { t } = useTranslation();
  const { size } = selection.ids;
  const shown = order.filter((id) => selection.ids.has(id)).length;
  const bar = useOwnHeight<HTMLElement>(size > 0, '--selection');
  return (
    // Always there, or it would not be said when something is selected first.
    <section
      ref={bar}
      aria-label={t('selection.title')}
      className={styles.bar}
      data-empty={size === 0 || undefined}
      onKeyDown={(event) => {
        if (event.key === 'Escape') selection.clear();
      }}
    >
      <p role="status" className={styles.count}>
        {size > 0 ? <strong>{t('selection.count', { count: size })}</strong> : null}
        {size > shown ? <span>{t('selection.hidden', { count: size - shown })}</span> : null}
      </p>
      {size > 0 ? (
        <>
          {shown < order.length ? (
            <Button small variant="quiet" className={styles.all} onClick={() => selection.change(order, true)}>
              {t('selection.selectAll', { count: order.length })}
            </Button>
          ) : null}
          <div className={styles.deeds}>{children}</div>
          <IconButton small label={t('selection.clear')} icon={<CloseIcon />} onClick={selection.clear} />
        </>
      ) : null}
    </section>
  );
}

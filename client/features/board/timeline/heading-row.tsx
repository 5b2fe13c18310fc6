import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { placeRow, type RowPlace } from './place-row.ts';
import styles from './timeline.module.css';

interface HeadingRowProps extends RowPlace {
  /** null: uncategorised. */
  name: string | null;
  claimed_count: number;
  count: number;
}

/** A category above its spots. */
export const HeadingRow = memo(function HeadingRow({ name, claimed_count, count, ...place }: HeadingRowProps): ReactNode {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of the timeline are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
    <div role="row" className={styles.heading} {...placeRow(place)}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="rowheader" aria-colindex={1} aria-colspan={HOURS_IN_DAY + 1} className={styles.category}>
        {name ?? t('board.uncategorised')} <span>{t('board.claimedOf', { claimed: claimed_count, count })}</span>
      </div>
    </div>
  );
});

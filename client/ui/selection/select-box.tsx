import type { ChangeEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './selection.module.css';
import type { Selection } from './use-selection.ts';

interface SelectBoxProps {
  id: string;
  /** Of the row, for who does not see it. */
  name: string;
  selection: Selection;
  onTick: (id: string, event: ChangeEvent<HTMLInputElement>) => void;
}

/** The box of a row. */
export function SelectBox({ id, name, selection, onTick }: SelectBoxProps): ReactNode {
  const { t } = useTranslation();
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        data-select={id}
        aria-label={t('selection.select', { name })}
        checked={selection.ids.has(id)}
        onChange={(event) => onTick(id, event)}
      />
    </label>
  );
}

/** The box of all rows that are listed, on the screen or not: ticked where all are selected, half where some are. */
export function SelectAllBox({ order, selection }: { order: readonly string[]; selection: Selection }): ReactNode {
  const { t } = useTranslation();
  const count = order.filter((id) => selection.ids.has(id)).length;
  const all = count === order.length;
  return (
    <label className={styles.box}>
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !all;
        }}
        aria-label={t('selection.selectAll', { count: order.length })}
        checked={all && count > 0}
        onChange={() => selection.change(order, !all)}
      />
    </label>
  );
}

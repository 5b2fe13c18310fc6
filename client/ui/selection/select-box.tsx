import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './selection.module.css';
import type { Selecting } from './use-selecting.ts';
import type { Selection } from './use-selection.ts';

interface SelectBoxProps {
  id: string;
  /** Of the row, for who does not see it. */
  name: string;
  selection: Selection;
  onTick: Selecting['onTick'];
}

/** The box of a row. */
export function SelectBox({ id, name, selection, onTick }: SelectBoxProps): ReactNode {
  const { t } = useTranslation();
  /** Around the box Firefox leaves a press with Shift alone, which on the box it takes. */
  const pressAround = (event: MouseEvent<HTMLLabelElement>): void => {
    if (!event.shiftKey || event.target !== event.currentTarget) return;
    event.preventDefault();
    event.currentTarget.querySelector('input')?.focus();
    onTick(id, !selection.ids.has(id), true);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys press the box itself
    <label className={styles.box} onClick={pressAround}>
      <input
        type="checkbox"
        data-select={id}
        aria-label={t('selection.select', { name })}
        checked={selection.ids.has(id)}
        onChange={({ target, nativeEvent }) => onTick(id, target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
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

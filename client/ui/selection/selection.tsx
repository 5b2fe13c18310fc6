import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button.tsx';
import { CheckboxInput } from '../fields/checkbox.tsx';
import { CloseIcon } from '../icons.tsx';
import { Cluster } from '../layout.tsx';
import { useOwnHeight } from '../use-own-height.ts';
import styles from './selection.module.css';

/** Selected rows of a list, whether the filter shows them or not. */
export interface Selection {
  /** Only of existing records. */
  ids: ReadonlySet<string>;
  change: (ids: readonly string[], on: boolean) => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * The selection of a list. Rows that the filter hides stay selected; deleted rows do not, even if they are restored.
 * @param exists whether there is such a record, shown or hidden
 */
export function useSelection(exists: (id: string) => boolean): Selection {
  const [ids, setIds] = useState(NONE);
  const left = [...ids].filter(exists);
  if (left.length < ids.size) setIds(new Set(left));
  return {
    ids: left.length < ids.size ? new Set(left) : ids,
    change: (some, on) => setIds((before) => withThem(before, some, on)),
    clear: () => setIds(NONE),
  };
}

function withThem(
  before: ReadonlySet<string>,
  some: readonly string[],
  on: boolean,
): ReadonlySet<string> {
  if (on) return new Set([...before, ...some]);
  const gone = new Set(some);
  return new Set([...before].filter((id) => !gone.has(id)));
}

export interface SelectionKeys {
  /** Handles a row's checkbox; `isRange`: with all rows from the last one to this. */
  onTick: (id: string, checked: boolean, isRange: boolean) => void;
  /** For the element around the rows. */
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/**
 * Selects rows by pointer and keyboard. Shift+click selects a range; arrows move between checkboxes and with Shift select the next row,
 * too; Ctrl+A selects all listed rows; Escape clears.
 * @param order the ids of the listed rows, in their order
 */
export function useSelectionKeys(
  order: readonly string[],
  selection: Selection | undefined,
): SelectionKeys {
  const last = useRef<string | null>(null);
  return {
    onTick: (id, checked, isRange) => {
      selection?.change(isRange ? between(order, last.current, id) : [id], checked);
      last.current = id;
    },
    onKeyDown: (event) => {
      if (!selection || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      if (event.key === 'a' && (event.ctrlKey || event.metaKey) && !isTyping(target)) {
        event.preventDefault();
        selection.change(order, true);
      } else if (event.key === 'Escape' && selection.ids.size > 0 && !isTyping(target)) {
        event.preventDefault();
        selection.clear();
      } else if (
        (event.key === 'ArrowDown' || event.key === 'ArrowUp') &&
        target?.dataset.select !== undefined
      ) {
        event.preventDefault();
        const next =
          order[order.indexOf(target.dataset.select) + (event.key === 'ArrowDown' ? 1 : -1)];
        if (next === undefined) return;
        if (event.shiftKey) selection.change([target.dataset.select, next], true);
        last.current = next;
        event.currentTarget
          .querySelector<HTMLElement>(`[data-select="${CSS.escape(next)}"]`)
          ?.focus();
      }
    },
  };
}

function between(order: readonly string[], from: string | null, to: string): readonly string[] {
  const first = from === null ? -1 : order.indexOf(from);
  const second = order.indexOf(to);
  if (first < 0 || second < 0) return [to];
  return order.slice(Math.min(first, second), Math.max(first, second) + 1);
}

const isTyping = (target: HTMLElement | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'checkbox');

interface SelectBoxProps {
  id: string;
  name: string;
  selection: Selection;
  onTick: SelectionKeys['onTick'];
}

export function SelectBox({ id, name, selection, onTick }: SelectBoxProps): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={styles.box}>
      <CheckboxInput
        data-select={id}
        aria-label={t('selection.select', { name })}
        checked={selection.ids.has(id)}
        onChange={({ target, nativeEvent }) =>
          onTick(id, target.checked, 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true)
        }
      />
    </span>
  );
}

/** The checkbox of all listed rows; half checked if only some are selected. */
export function SelectAllBox({
  order,
  selection,
}: {
  order: readonly string[];
  selection: Selection;
}): ReactNode {
  const { t } = useTranslation();
  const count = order.filter((id) => selection.ids.has(id)).length;
  const all = count === order.length;
  return (
    <span className={styles.box}>
      <CheckboxInput
        ref={(box) => {
          if (box) box.indeterminate = count > 0 && !all;
        }}
        aria-label={t('selection.selectAll', { count: order.length })}
        checked={all && count > 0}
        onChange={() => selection.change(order, !all)}
      />
    </span>
  );
}

interface SelectionBarProps {
  selection: Selection;
  order: readonly string[];
  children: ReactNode;
}

/** How many rows are selected, how many of them the filter hides, and the actions for them. It stays in view below the list. */
export function SelectionBar({ selection, order, children }: SelectionBarProps): ReactNode {
  const { t } = useTranslation();
  const { size } = selection.ids;
  const listed = order.filter((id) => selection.ids.has(id)).length;
  const bar = useOwnHeight<HTMLElement>(size > 0, '--selection');
  return (
    // Always rendered, or screen readers would miss the first selection.
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
        {size > listed ? <span>{t('selection.hidden', { count: size - listed })}</span> : null}
      </p>
      {size > 0 ? (
        <>
          {listed < order.length ? (
            <Button
              small
              variant="quiet"
              className={styles.all}
              onClick={() => selection.change(order, true)}
            >
              {t('selection.selectAll', { count: order.length })}
            </Button>
          ) : null}
          <Cluster align="start" className={styles.actions}>
            {children}
          </Cluster>
          <IconButton
            small
            label={t('selection.clear')}
            icon={<CloseIcon />}
            onClick={selection.clear}
          />
        </>
      ) : null}
    </section>
  );
}

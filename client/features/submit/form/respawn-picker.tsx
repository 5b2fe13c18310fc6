import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { ChevronDownIcon, SearchIcon } from '../../../ui/icons.tsx';
import { groupRespawns, RespawnOptions } from './respawn-options.tsx';
import styles from './respawn-picker.module.css';

export interface RespawnPickerProps {
  respawns: readonly Respawn[];
  chosen: Respawn | undefined;
  onChoose: (respawn_id: number) => void;
  /** Whether a spot has the hours that are chosen; null: none are. What has not is marked. */
  fits?: ((respawn_id: number) => boolean) | null | undefined;
  /** Its name where there are several. */
  label?: string | undefined;
  /** The id of the text that says what is wrong. */
  errorId?: string | undefined;
}

/**
 * A combobox: typing searches names and categories, arrow keys move, Enter chooses, Escape gives up. The only one there is, and
 * by hand: Radix has none, and its select and menu keep the focus in their list, where nobody could type.
 */
export function RespawnPicker({ respawns, chosen, onChoose, fits, label, errorId }: RespawnPickerProps): ReactNode {
  const { t } = useTranslation();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** null: closed, and the input shows what is chosen. */
  const [search, setSearch] = useState<string | null>(null);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const isOpen = search !== null;
  const groups = isOpen ? groupRespawns(respawns, search) : [];
  const found = groups.flatMap((group) => group.respawns);
  const current = found.find((respawn) => respawn.id === highlighted) ?? (search ? found[0] : undefined);

  const open = (): void => {
    if (isOpen) return;
    setSearch('');
    setHighlighted(chosen?.id ?? null);
  };
  const close = (): void => setSearch(null);
  const choose = (respawn: Respawn): void => {
    onChoose(respawn.id);
    close();
  };

  useEffect(() => {
    if (isOpen && current) document.getElementById(optionId(listId, current.id))?.scrollIntoView?.({ block: 'nearest' });
  }, [isOpen, current, listId]);

  const move = (to: number): void => {
    const target = found[Math.max(0, Math.min(found.length - 1, to))];
    if (target) setHighlighted(target.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = current ? found.indexOf(current) : -1;
    const steps: Record<string, number | undefined> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      if (isOpen) move(to);
      else open();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (isOpen && current) choose(current);
      else open();
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that the focus leaves
    <div
      ref={box}
      className={styles.picker}
      onBlur={(event) => {
        if (!box.current?.contains(event.relatedTarget)) close();
      }}
    >
      <div className={classes(styles.control, isOpen && styles.open, errorId && styles.wrong)}>
        {chosen && !isOpen ? (
          <Emblem src={chosen.image_url} name={chosen.name} size={32} />
        ) : (
          <span className={styles.lead}>
            <SearchIcon />
          </span>
        )}
        <input
          ref={input}
          type="text"
          role="combobox"
          className={styles.input}
          aria-label={label ?? t('submit.respawn')}
          aria-expanded={isOpen}
          aria-controls={found.length > 0 ? listId : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && current ? optionId(listId, current.id) : undefined}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
          autoComplete="off"
          spellCheck={false}
          placeholder={chosen && isOpen ? chosen.name : t('submit.searchRespawns')}
          value={search ?? chosen?.name ?? ''}
          onChange={(event) => {
            setSearch(event.target.value);
            setHighlighted(null);
          }}
          onClick={open}
          onKeyDown={onKeyDown}
        />
        {chosen && !isOpen ? <span className={styles.category}>{chosen.category_name ?? t('submit.uncategorised')}</span> : null}
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('submit.showRespawns')}
          className={styles.arrow}
          // The input keeps the focus, so that the list does not close for losing it.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => {
            input.current?.focus();
            if (isOpen) close();
            else open();
          }}
        >
          <ChevronDownIcon />
        </button>
      </div>
      {isOpen ? (
        <RespawnOptions
          id={listId}
          groups={groups}
          search={search}
          chosen={chosen?.id ?? null}
          highlighted={current?.id ?? null}
          fits={fits ?? null}
          optionId={(id) => optionId(listId, id)}
          onChoose={choose}
        />
      ) : null}
    </div>
  );
}

const optionId = (listId: string, respawn_id: number): string => `${listId}-${respawn_id}`;

import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { groupBy, inNameOrder } from '../../lib/words/order.ts';
import { holds, searchIndex, wordsOf } from '../../lib/words/search.ts';
import { useBoard } from '../../state/board-store.ts';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { CheckIcon, ChevronDownIcon, SearchIcon } from '../../ui/icons.tsx';
import { freeHours } from './day-claims.ts';
import { boardClaimsIn, takenElsewhere } from './draft/check.ts';
import type { Period } from './draft/draft.ts';
import styles from './respawn-picker.module.css';

interface RespawnPickerProps {
  respawns: readonly Respawn[];
  chosen: Respawn | undefined;
  onChoose: (respawn_id: number) => void;
  /** Whether the chosen hours are free on a spot; null: none are chosen. Spots that do not fit are marked. */
  fits?: ((respawn_id: number) => boolean) | null | undefined;
  /** Whose free hours each spot shows; null: no date is chosen. */
  on?: DatesInQuestion | null | undefined;
  /** Its name if there are several pickers. */
  label?: string | undefined;
  /** The id of the error message. */
  errorId?: string | undefined;
}

/** The chosen dates: one, or all of a single_claim event. */
interface DatesInQuestion {
  period: Period;
  name: string;
  /** How many hours of them are over. */
  over: number;
}

/**
 * A combobox: typing searches names and categories, arrow keys move, Enter chooses, Escape closes. Written by hand, for Radix has
 * none, and its select and menu keep the focus in their list.
 */
export function RespawnPicker({
  respawns,
  chosen,
  onChoose,
  fits,
  on,
  label,
  errorId,
}: RespawnPickerProps): ReactNode {
  const { t } = useTranslation();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  /** null: closed, and the input shows the chosen spot. */
  const [search, setSearch] = useState<string | null>(null);
  const [highlighted, setHighlighted] = useState<number | null>(null);
  const isOpen = search !== null;
  const groups = isOpen ? groupRespawns(respawns, search) : [];
  const found = groups.flatMap((group) => group.respawns);
  const current =
    found.find((respawn) => respawn.id === highlighted) ?? (search ? found[0] : undefined);

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
    if (isOpen && current)
      document.getElementById(optionId(listId, current.id))?.scrollIntoView?.({ block: 'nearest' });
  }, [isOpen, current, listId]);

  const move = (to: number): void => {
    const target = found[Math.max(0, Math.min(found.length - 1, to))];
    if (target) setHighlighted(target.id);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = current ? found.indexOf(current) : -1;
    const steps: Record<string, number | undefined> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + 8,
      PageUp: at - 8,
    };
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
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices when the focus leaves
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
        {chosen && !isOpen ? (
          <span className={styles.category}>
            {chosen.category_name ?? t('submit.uncategorised')}
          </span>
        ) : null}
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('submit.showRespawns')}
          className={styles.arrow}
          // Losing the focus would close the list.
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
          on={on ?? null}
          optionId={(id) => optionId(listId, id)}
          onChoose={choose}
        />
      ) : null}
    </div>
  );
}

const optionId = (listId: string, respawn_id: number): string => `${listId}-${respawn_id}`;

interface RespawnOptionsProps {
  id: string;
  groups: readonly RespawnGroup[];
  search: string;
  chosen: number | null;
  highlighted: number | null;
  fits: ((respawn_id: number) => boolean) | null;
  on: DatesInQuestion | null;
  optionId: (respawn_id: number) => string;
  onChoose: (respawn: Respawn) => void;
}

/** The list below the picker; the focus stays in its input. */
function RespawnOptions({ id, groups, search, ...options }: RespawnOptionsProps): ReactNode {
  const { t } = useTranslation();
  if (groups.length === 0) {
    return (
      <p role="status" className={classes(styles.list, styles.none)}>
        {t('submit.noRespawns', { text: search.trim() })}
      </p>
    );
  }
  return (
    <div
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={t('submit.respawn')}
      className={styles.list}
      // A press must not take the focus from the input, but a finger has to be able to scroll.
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map((group, i) => (
        <OptionGroup key={group.category ?? ''} group={group} isFirst={i === 0} {...options} />
      ))}
    </div>
  );
}

type OptionGroupProps = Omit<RespawnOptionsProps, 'id' | 'groups' | 'search'> & {
  group: RespawnGroup;
  isFirst: boolean;
};

function OptionGroup({
  group,
  isFirst,
  chosen,
  highlighted,
  fits,
  on,
  optionId,
  onChoose,
}: OptionGroupProps): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox may contain options only in elements with role="group"
    <div role="group" aria-labelledby={headingId}>
      <div className={styles.heading}>
        <span id={headingId}>{group.category ?? t('submit.uncategorised')}</span>
        {on && isFirst ? (
          <span className={styles.on}>{t('submit.picker.on', { date: on.name })}</span>
        ) : null}
      </div>
      {group.respawns.map((respawn) => {
        const id = optionId(respawn.id);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses from the input, which keeps the focus
          <div
            key={respawn.id}
            id={id}
            role="option"
            tabIndex={-1}
            aria-selected={respawn.id === chosen}
            aria-labelledby={`${id}-name`}
            aria-describedby={on ? `${id}-free` : undefined}
            className={classes(styles.option, respawn.id === highlighted && styles.highlighted)}
            onClick={() => onChoose(respawn)}
          >
            <Emblem src={respawn.image_url} name={respawn.name} size={32} />
            <span id={`${id}-name`} className={styles.name}>
              {respawn.name}
              {fits && !fits(respawn.id) ? (
                <span className={styles.unfit}> {t('submit.notFree')}</span>
              ) : null}
            </span>
            {on ? <FreeHours id={`${id}-free`} respawn_id={respawn.id} on={on} /> : null}
            {respawn.id === chosen ? <CheckIcon /> : null}
          </div>
        );
      })}
    </div>
  );
}

/** Name at most this many free ranges; count the rest. */
const MAX_NAMED = 2;

/** A spot's free hours on the chosen dates, as far as the board knows. */
function FreeHours({
  id,
  respawn_id,
  on: { period, over },
}: {
  id: string;
  respawn_id: number;
  on: DatesInQuestion;
}): ReactNode {
  const { t } = useTranslation();
  const claims = useBoard((board) => board.claimsByRespawn.get(respawn_id));
  const occupied = useBoard((board) => board.occupiedByRespawn.get(respawn_id));
  const events = useBoard((board) => board.byKind.event);
  const free = freeHours(
    boardClaimsIn(period, claims ?? [], events),
    over,
    takenElsewhere(period, occupied),
  );
  const hours = free
    .slice(0, MAX_NAMED)
    .map(({ hour_start, hour_end }) => t('time.range', { start: hour_start, end: hour_end }))
    .join(', ');
  const rest = free.length - MAX_NAMED;
  const text = rest > 0 ? t('submit.picker.more', { hours, count: rest }) : hours;
  return (
    <span id={id} className={styles.free}>
      {free.length > 0 ? t('submit.picker.free', { hours: text }) : t('submit.picker.none')}
    </span>
  );
}

interface RespawnGroup {
  /** null: uncategorised. */
  category: string | null;
  respawns: readonly Respawn[];
}

const spotText = searchIndex((respawn: Respawn) => [respawn.name, respawn.category_name]);

/** The respawns whose name or category holds every word of a search, by category, the uncategorised last. */
export function groupRespawns(respawns: Iterable<Respawn>, search: string): RespawnGroup[] {
  const words = wordsOf(search);
  const fits = (respawn: Respawn): boolean =>
    respawn.is_enabled === 1 && holds(spotText(respawn), words);
  const groups = groupBy(
    inNameOrder(respawns, ({ name }) => name).filter(fits),
    (respawn) => respawn.category_name,
  );
  return inNameOrder(groups, ([category]) => category).map(([category, list]) => ({
    category,
    respawns: list,
  }));
}

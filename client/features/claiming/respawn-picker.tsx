import { type ReactNode, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { groupBy, inNameOrder } from '../../lib/words/order.ts';
import { holds, searchIndex, wordsOf } from '../../lib/words/search.ts';
import { useBoard } from '../../state/board-store.ts';
import { classes } from '../../ui/classes.ts';
import { Emblem } from '../../ui/emblem.tsx';
import { type OptionProps, useCombobox } from '../../ui/fields/combobox.ts';
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
  errorId?: string | undefined;
}

/** The chosen dates: one, or all of a single_claim event. */
interface DatesInQuestion {
  period: Period;
  name: string;
  /** How many hours of them are over. */
  over: number;
}

/** A combobox: typing searches names and categories. */
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
  const field = useRef<HTMLInputElement>(null);
  /** null: closed, and the input shows the chosen spot. */
  const [search, setSearch] = useState<string | null>(null);
  const isOpen = search !== null;
  const groups = isOpen ? groupRespawns(respawns, search) : [];
  const close = (): void => setSearch(null);
  const { box, input, popup, list, optionOf, onType } = useCombobox({
    label: t('submit.respawn'),
    options: groups.flatMap((group) => group.respawns),
    isOpen,
    onOpen: () => setSearch(''),
    onClose: close,
    onChoose: ({ id }: Respawn) => {
      onChoose(id);
      close();
    },
    takesFirst: Boolean(search),
    chosen: chosen?.id,
  });

  return (
    <div {...box} className={classes(box.className, styles.picker)}>
      <div className={classes(styles.control, isOpen && styles.open, errorId && styles.wrong)}>
        {chosen && !isOpen ? (
          <Emblem src={chosen.image_url} name={chosen.name} size={32} />
        ) : (
          <span className={styles.lead}>
            <SearchIcon />
          </span>
        )}
        <input
          {...input}
          ref={field}
          type="text"
          className={styles.input}
          aria-label={label ?? t('submit.respawn')}
          aria-invalid={errorId ? true : undefined}
          aria-describedby={errorId}
          placeholder={chosen && isOpen ? chosen.name : t('submit.searchRespawns')}
          value={search ?? chosen?.name ?? ''}
          onChange={(event) => {
            setSearch(event.target.value);
            onType();
          }}
        />
        {chosen && !isOpen ? (
          <span className={`${styles.category} ellipsis`}>
            {chosen.category_name ?? t('board.uncategorised')}
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
            field.current?.focus();
            if (isOpen) close();
            else field.current?.click();
          }}
        >
          <ChevronDownIcon />
        </button>
      </div>
      {isOpen && groups.length === 0 ? (
        <div {...popup} role="status" className={classes(popup.className, styles.none)}>
          {t('submit.noRespawns', { text: search.trim() })}
        </div>
      ) : isOpen ? (
        <div {...list} className={classes(list.className, styles.list)}>
          {groups.map((group, i) => (
            <OptionGroup
              key={group.category ?? ''}
              group={group}
              isFirst={i === 0}
              fits={fits ?? null}
              on={on ?? null}
              optionOf={optionOf}
            />
          ))}
        </div>
      ) : null}
    </div>
  );
}

interface OptionGroupProps {
  group: RespawnGroup;
  isFirst: boolean;
  fits: ((respawn_id: number) => boolean) | null;
  on: DatesInQuestion | null;
  optionOf: (respawn: Respawn) => OptionProps;
}

function OptionGroup({ group, isFirst, fits, on, optionOf }: OptionGroupProps): ReactNode {
  const { t } = useTranslation();
  const headingId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a listbox may contain options only in elements with role="group"
    <div role="group" aria-labelledby={headingId}>
      <div className={styles.heading}>
        <span id={headingId}>{group.category ?? t('board.uncategorised')}</span>
        {on && isFirst ? (
          <span className={styles.on}>{t('submit.picker.on', { date: on.name })}</span>
        ) : null}
      </div>
      {group.respawns.map((respawn) => {
        const { id, className, ...option } = optionOf(respawn);
        const names = {
          'aria-labelledby': `${id}-name`,
          'aria-describedby': on ? `${id}-free` : undefined,
        };
        return (
          <div
            {...option}
            {...names}
            key={respawn.id}
            id={id}
            className={classes(className, styles.option)}
          >
            <Emblem src={respawn.image_url} name={respawn.name} size={32} />
            <span id={`${id}-name`} className={styles.name}>
              {respawn.name}
              {fits && !fits(respawn.id) ? (
                <span className={styles.unfit}> {t('submit.notFree')}</span>
              ) : null}
            </span>
            {on ? <FreeHours id={`${id}-free`} respawn_id={respawn.id} on={on} /> : null}
            {option['data-chosen'] ? <CheckIcon /> : null}
          </div>
        );
      })}
    </div>
  );
}

/** Name at most this many free ranges; count the rest. */
const MAX_NAMED = 2;

/** A spot's free hours on the chosen dates, as far as the board knows. */
export function FreeHours({
  id,
  respawn_id,
  on: { period, over },
  className = styles.free,
}: {
  id?: string;
  respawn_id: number;
  on: Pick<DatesInQuestion, 'period' | 'over'>;
  className?: string | undefined;
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
    <span id={id} className={className}>
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

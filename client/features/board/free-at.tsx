import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { hoursOver } from '../../../shared/rules/claim-time.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { type FreeAt, fitsAt, nextShorter, roomAt } from '../../../shared/rules/free-at.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import type { Respawn } from '../../../shared/schemas/respawn.ts';
import { claimSearch } from '../../lib/claim-request.ts';
import { occupiedIn } from '../../lib/occupied.ts';
import { useBoard } from '../../state/board-store.ts';
import { useClaimsForOthers } from '../../state/permissions.ts';
import { useSession } from '../../state/session-store.ts';
import type { Preset } from '../../state/usual-hours.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select, type SelectOption } from '../../ui/fields/select.tsx';
import { useLocalTime } from '../../ui/hours/hours-text.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { claimsOn } from '../claiming/day-claims.ts';
import { isOccupiedBy } from '../claiming/draft/check.ts';
import { claimsAtOnce } from '../claiming/in-place/choose-hours.ts';
import type { Now } from './board-view.ts';
import { ClaimLink, useClosedText } from './claim-links.tsx';
import styles from './free-at.module.css';

interface FreeSearch extends FreeAt {
  /** Hours of the date that are over; nothing before them matches. */
  over: number;
  /** How many of the searched hours are free, by spot. */
  rooms: ReadonlyMap<number, number>;
  fitting: ReadonlySet<number>;
  /** Those, and the spot of the viewer's claim on that date: a claim made from the search stays in view. */
  inView: ReadonlySet<number>;
  /** The viewer's claim on that date in any event: the server accepts no second one. */
  busy: OwnClaim | null;
  /** The hours to claim on a matching spot; null: the viewer can't claim on that date. */
  wanted: HourRange | null;
}

type OwnClaim = Pick<ClaimOnRespawn, 'character_name' | 'respawn_id' | 'hour_start' | 'hour_end'>;

interface FreeSearchInput {
  /** The server-save date in view; null: every date of a single_claim event. */
  date: string | null;
  /** How many hours of it are over for the viewer. */
  over: number;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
}

/** Hours of a date that are over for the viewer. A whole-event claim is over when the event's last date is. */
export function useHoursOver(date: string, event: ActiveEvent | null, now: Now): number {
  const may_enter_past = useClaimsForOthers();
  return hoursOver(event?.type === 'single_claim' ? eventDate(event.end_time) : date, {
    today: now.date,
    hour: now.hour,
    may_enter_past,
  });
}

/** @returns null without a search; otherwise a result that only changes with its content, not with each claim */
export function useFreeSearch(
  search: FreeAt | null,
  { date, over, viewer }: FreeSearchInput,
): FreeSearch | null {
  const rooms = useRooms(search, date, over);
  const busy = useBusy(search && viewer, date);
  const hour_start = search?.hour_start ?? 0;
  const duration = search?.duration ?? 0;
  return useMemo(() => {
    if (!rooms) return null;
    const fitting = new Set(
      [...rooms].filter(([, room]) => fitsAt({ hour_start, duration }, room)).map(([id]) => id),
    );
    const inView = busy ? new Set(fitting).add(busy.respawn_id) : fitting;
    const wanted = busy ? null : { hour_start, hour_end: hour_start + duration };
    return { hour_start, duration, over, rooms, fitting, inView, busy, wanted };
  }, [rooms, busy, over, hour_start, duration]);
}

/** @param date null: claims of all dates */
const onDate = (
  claims: readonly ClaimOnRespawn[],
  date: string | null,
): readonly ClaimOnRespawn[] => (date === null ? claims : claimsOn(date, claims));

function useRooms(
  search: FreeAt | null,
  date: string | null,
  over: number,
): ReadonlyMap<number, number> | null {
  const last = useRef<{ of: readonly unknown[]; rooms: ReadonlyMap<number, number> } | null>(null);
  return useBoard(({ byKind, claimsByRespawn, occupiedByRespawn }) => {
    if (!search) return null;
    const of = [
      byKind.respawn,
      claimsByRespawn,
      occupiedByRespawn,
      search.hour_start,
      search.duration,
      date,
      over,
    ];
    if (last.current?.of.every((value, i) => value === of[i])) return last.current.rooms;
    const rooms = new Map<number, number>();
    for (const spot of byKind.respawn.values()) {
      if (!spot.is_enabled) continue;
      const taken = onDate(claimsByRespawn.get(spot.id) ?? [], date).filter(
        (claim) => !claim.is_secondary_claim,
      );
      const elsewhere = occupiedIn(
        occupiedByRespawn.get(spot.id),
        date === null ? null : { first: date, last: date },
      );
      rooms.set(spot.id, roomAt(search, [...taken, ...elsewhere], over));
    }
    const before = last.current?.rooms;
    const isSame =
      before?.size === rooms.size && [...rooms].every(([id, room]) => before.get(id) === room);
    last.current = { of, rooms: isSame ? before : rooms };
    return last.current.rooms;
  });
}

/** R4.6: a character's primary claim of a date, claims of other events included. @param date null: any date */
function useBusy(viewer: string | null, date: string | null): OwnClaim | null {
  const claim = useBoard(({ claimsByRespawn }) => {
    if (viewer === null) return null;
    for (const claims of claimsByRespawn.values()) {
      const own = onDate(claims, date).find(
        (claim) => !claim.is_secondary_claim && nameKey(claim.character_name) === viewer,
      );
      if (own) return own;
    }
    return null;
  });
  const elsewhere = useBoard(({ byKind }) => {
    if (viewer === null) return null;
    // Occupancies only cover the active event's dates, so without a date every one counts.
    return (
      [...byKind.occupancy.values()].find((one) =>
        isOccupiedBy(one, viewer, date === null ? null : { first: date, last: date }),
      ) ?? null
    );
  });
  return useMemo(() => {
    const [part] = elsewhere?.parts ?? [];
    return (
      claim ?? (elsewhere && part ? { character_name: elsewhere.character_name, ...part } : null)
    );
  }, [claim, elsewhere]);
}

interface FreeRowProps {
  search: FreeAt | null;
  onChange: (search: FreeAt | null) => void;
  /** The server-save date in view. */
  date: string;
  /** Hours of the date that are over; they can't be chosen. */
  over: number;
  /** The longest claim that the viewer may make, in hours. */
  longest: number;
  /** The first choice on the date in view. */
  preset: Preset | null;
  /** The number of matching spots, if it isn't shown elsewhere. */
  count: number | null;
}

const ANY = 'any';
const upTo = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);

const PRESET = 'tonight';

/** The hours to choose from; first the preset, which most search for. */
function useStartOptions({
  search,
  date,
  over,
  preset,
}: Pick<FreeRowProps, 'search' | 'date' | 'over' | 'preset'>): SelectOption<string>[] {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const hours = upTo(over, HOURS_IN_DAY - 1);
  // Keep a chosen hour that has passed meanwhile.
  if (search && !hours.includes(search.hour_start)) hours.unshift(search.hour_start);
  const options: SelectOption<string>[] = hours.map((hour) => ({
    value: String(hour),
    label: t('board.freeAt.hour', { hour, time: localTime(date, hour) }),
    disabled: hour < over,
  }));
  if (preset && preset.kind !== 'now') {
    const { kind, hour_start: hour } = preset;
    const label = t(kind === 'tonight' ? 'board.freeAt.tonightAt' : 'board.freeAt.evening', {
      hour,
      time: localTime(date, hour),
    });
    options.unshift({ value: PRESET, label });
  }
  return options;
}

/** "Free at [SS+16] for [4 h]": filters the board by free hours. */
export function FreeRow({
  search,
  onChange,
  date,
  over,
  longest,
  preset,
  count,
}: FreeRowProps): ReactNode {
  const { t } = useTranslation();
  const options = useStartOptions({ search, date, over, preset });
  const duration = search?.duration ?? longest;
  const row = useRef<HTMLFieldSetElement>(null);
  const clear = (): void => {
    // The pressed button disappears.
    row.current?.querySelector('select')?.focus({ preventScroll: true });
    onChange(null);
  };
  return (
    <fieldset ref={row} aria-label={t('board.freeAt.label')} className={styles.row}>
      <span aria-hidden="true">{t('board.freeAt.start')}</span>
      <Select
        label={t('board.freeAt.start')}
        wide={false}
        value={search ? String(search.hour_start) : ANY}
        options={[{ value: ANY, label: t('board.freeAt.anyHour') }, ...options]}
        onChange={(value) => onChange(value === ANY ? null : searchOf(value, { preset, duration }))}
      />
      {search ? (
        <>
          <span aria-hidden="true">{t('board.freeAt.duration')}</span>
          <Select
            label={t('board.freeAt.duration')}
            wide={false}
            value={String(duration)}
            options={upTo(1, longest).map((count) => ({
              value: String(count),
              label: t('board.freeAt.hours', { count }),
            }))}
            onChange={(value) => onChange({ ...search, duration: Number(value) })}
          />
          <IconButton label={t('board.freeAt.clear')} icon={<CloseIcon />} onClick={clear} />
        </>
      ) : null}
      {count === null ? null : (
        <span aria-hidden="true" className="fine tabular nowrap">
          {t('board.freeAt.matches', { count })}
        </span>
      )}
    </fieldset>
  );
}

/** On a phone, beside the dates: a picker of the start, and in its place, while there is a search, a chip that clears it. */
export function FreePicker({
  search,
  onChange,
  date,
  over,
  longest,
  preset,
}: Omit<FreeRowProps, 'count'>): ReactNode {
  const { t } = useTranslation();
  const options = useStartOptions({ search: null, date, over, preset });
  const box = useRef<HTMLSpanElement>(null);
  const hadFocus = useRef(false);
  const isSearching = search !== null;
  // The control that had the focus is gone: the other one in its place takes it.
  useEffect(() => {
    const control = box.current?.querySelector<HTMLElement>(isSearching ? 'button' : 'select');
    // A day that is over has neither.
    if (hadFocus.current)
      (control ?? document.querySelector('main'))?.focus({ preventScroll: true });
    hadFocus.current = false;
  }, [isSearching]);
  const change = (next: FreeAt | null): void => {
    hadFocus.current = box.current?.contains(document.activeElement) ?? false;
    onChange(next);
  };
  if (search === null && over >= HOURS_IN_DAY) return null;
  return (
    <span ref={box} className={styles.start}>
      {search ? (
        <FreeChip search={search} onClear={() => change(null)} />
      ) : (
        <Select
          label={t('board.freeAt.pick')}
          placeholder={t('board.freeAt.pick')}
          wide={false}
          className={styles.picker}
          value=""
          options={options}
          onChange={(value) => change(searchOf(value, { preset, duration: longest }))}
        />
      )}
    </span>
  );
}

export const isSameHours = (one: FreeAt | null, other: FreeAt): boolean =>
  one?.hour_start === other.hour_start && one.duration === other.duration;

interface TonightButtonProps {
  tonight: Preset;
  isOn: boolean;
  onChange: (search: FreeAt | null) => void;
}

/** Marks tonight's hours on each spot that has them free. */
export function TonightButton({ tonight, isOn, onChange }: TonightButtonProps): ReactNode {
  const { t } = useTranslation();
  const { kind, hour_start: start, duration } = tonight;
  return (
    <button
      type="button"
      className={styles.tonight}
      aria-pressed={isOn}
      onClick={() => onChange(isOn ? null : tonight)}
    >
      {t(kind === 'now' ? 'board.freeAt.fromNow' : 'board.freeAt.tonight')}{' '}
      <span>{t('time.range', { start, end: start + duration })}</span>
    </button>
  );
}

const searchOf = (
  value: string,
  { preset, duration }: { preset: Preset | null; duration: number },
): FreeAt => (value === PRESET && preset ? preset : { hour_start: Number(value), duration });

function FreeChip({ search, onClear }: { search: FreeAt; onClear: () => void }): ReactNode {
  const { t } = useTranslation();
  const words = t('board.freeAt.chip', { hour: search.hour_start, count: search.duration });
  return (
    <button
      type="button"
      className={styles.chip}
      aria-label={`${words}. ${t('board.freeAt.clear')}`}
      onClick={onClear}
    >
      {words} <CloseIcon size={12} />
    </button>
  );
}

interface NothingFreeProps {
  free: FreeSearch;
  /** The spots that match all other filters. */
  ids: readonly number[];
  onChange: (search: FreeAt | null) => void;
}

/** No spot matches: offers the nearest alternative. */
export function NothingFree({ free, ids, onChange }: NothingFreeProps): ReactNode {
  const { t } = useTranslation();
  const { hour_start, duration, over } = free;
  const change = (next: FreeAt | null): void => {
    // The pressed button disappears.
    document.querySelector('main')?.focus({ preventScroll: true });
    onChange(next);
  };
  const anyHour = <Button onClick={() => change(null)}>{t('board.freeAt.showAll')}</Button>;
  if (over >= HOURS_IN_DAY)
    return <EmptyState title={t('board.freeAt.dayEnded')} action={anyHour} />;
  if (hour_start < over) {
    return (
      <EmptyState
        title={t('board.freeAt.hourPassed', { hour: hour_start })}
        action={
          <>
            <Button variant="primary" onClick={() => change({ hour_start: over, duration })}>
              {t('board.freeAt.category', { hour: over })}
            </Button>
            {anyHour}
          </>
        }
      />
    );
  }
  const shorter = nextShorter(ids.map((id) => free.rooms.get(id) ?? 0));
  if (!shorter)
    return (
      <EmptyState title={t('board.freeAt.nothingFree', { hour: hour_start })} action={anyHour} />
    );
  return (
    <EmptyState
      title={`${t('board.freeAt.noMatch', { count: duration })}; ${t('board.freeAt.shorterMatches', { count: shorter.count, hours: shorter.duration })}`}
      text={
        hour_start + duration > HOURS_IN_DAY
          ? t('board.freeAt.exceedsDay', { hour: hour_start, duration })
          : null
      }
      action={
        <>
          <Button
            variant="primary"
            onClick={() => change({ hour_start, duration: shorter.duration })}
          >
            {t('board.freeAt.showShorter', { count: shorter.duration })}
          </Button>
          {anyHour}
        </>
      }
    />
  );
}

/** R4.6: why the viewer can't claim the hours found. */
export function BusyDay({ claim }: { claim: OwnClaim }): ReactNode {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const { character_name: name, hour_start: start, hour_end: end } = claim;
  return (
    <Alert className={styles.busy}>{t('board.freeAt.hasClaim', { name, spot, start, end })}</Alert>
  );
}

interface ClaimWantedProps {
  spot: Respawn;
  date: string;
  /** The searched hours, which this spot has free. */
  wanted: HourRange;
  atOnce: boolean;
}

/** The claim form's query with the searched hours, or only spot and date. */
export const wantedSearch = (
  respawn_id: number,
  date: string,
  wanted: HourRange | null | undefined,
): string =>
  claimSearch({
    respawn_id,
    date,
    ...(wanted ? { hour: wanted.hour_start, hours: wanted.hour_end - wanted.hour_start } : {}),
  });

/**
 * Whether a press claims searched hours without asking: only where a member can release them again, before they begin.
 * @param date null: every date of a single_claim event, whose claims are not released
 */
export function useClaimsAtOnce(
  wanted: HourRange | null,
  { date, today, now }: { date: string | null; today: string; now: number },
): boolean {
  const isMember = useSession((session) => session.current !== null);
  const mayRelease = useBoard(({ byKind }) => byKind.config.get(CONFIG_ID)?.release_enabled === 1);
  const isAhead = wanted !== null && date !== null && (date > today || wanted.hour_start > now);
  return isMember && mayRelease && isAhead;
}

/** On a matching card: claims the searched hours. */
export function ClaimWanted({ spot, date, wanted, atOnce }: ClaimWantedProps): ReactNode {
  const { t } = useTranslation();
  const claim = t('board.freeAt.claim', { start: wanted.hour_start, end: wanted.hour_end });
  return (
    <ClaimLink
      search={wantedSearch(spot.id, date, wanted)}
      closed={useClosedText(date)}
      aria-label={`${spot.name}: ${claim}`}
      className={styles.claim}
      {...(atOnce ? claimsAtOnce(wanted) : {})}
    >
      {claim}
    </ClaimLink>
  );
}

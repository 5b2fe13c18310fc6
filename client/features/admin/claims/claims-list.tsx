import {
  Fragment,
  type ReactNode,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../lib/claims.ts';
import { useMay } from '../../../state/permissions.ts';
import { Badge } from '../../../ui/badge.tsx';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import {
  SelectBox,
  type Selection,
  type SelectionKeys,
  useSelectionKeys,
} from '../../../ui/selection/selection.tsx';
import { useWindowRows, type WindowRows } from '../../../ui/table/use-window-rows.ts';
import { OnlineBadge } from '../../claiming/online-mark.tsx';
import { WeeklySign } from '../../claiming/weekly-sign.tsx';
import tab from '../tab.module.css';
import { MemberLink } from '../table/member-link.tsx';
import {
  type ClaimDay,
  type ClaimGroup,
  countClaims,
  daysInOrder,
  type ListRow,
  listRows,
} from './claim-groups.ts';
import { HeldBadge, useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';

interface ClaimsListProps {
  groups: readonly ClaimGroup[];
  /** Today's server-save date. */
  today: string;
  /** All claims are loaded, so the number that clearing a respawn deletes is known. */
  complete: boolean;
  /** How many claims clearing a respawn deletes, whatever the filters show. */
  clearCountOf: (respawn_id: number) => number;
  /** The claims' ids in display order. */
  order: readonly string[];
  /** null: claims cannot be selected. */
  selection: Selection | null;
  onEdit: (claim: ClaimOnRespawn) => void;
  onDelete: (claim: ClaimOnRespawn) => void;
  onClear: (group: ClaimGroup) => void;
}

/** Row heights before they are measured. */
const HEAD_PX = 72;
const LINE_PX = 45;

/** Claims by respawn, then by date, in a virtual list that scrolls with the page. */
export function ClaimsList({ groups, order, selection, ...rest }: ClaimsListProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => listRows(groups), [groups]);
  const keys = useMemo(() => rows.map((row) => row.key), [rows]);
  const estimate = useCallback((index: number): number => heightOf(rows[index]), [rows]);
  const heads = useMemo(() => headsOf(rows), [rows]);
  const headOf = useCallback((index: number): number => heads[index] ?? 0, [heads]);
  const list = useListWindow(box, keys, estimate, headOf);
  const { onTick, onKeyDown } = useSelectionKeys(order, selection ?? undefined);
  const select = selection ? { selection, onTick } : null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its checkboxes
    <div ref={box} onKeyDown={selection ? onKeyDown : undefined}>
      {list.places.map(({ index, gap }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <Fragment key={row.key}>
            {gap > 0 ? <div style={{ height: gap }} /> : null}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the focus */}
            <div
              ref={list.measure}
              data-index={index}
              className={classes(
                row.kind !== 'day' && styles.headRow,
                rows[index + 1]?.kind !== 'day' && styles.last,
              )}
              onFocus={() => list.onFocus(row.key)}
              onBlur={list.onBlur}
            >
              <Row row={row} select={select} {...rest} />
            </div>
          </Fragment>
        );
      })}
      {list.gapAfter > 0 ? <div style={{ height: list.gapAfter }} /> : null}
    </div>
  );
}

type ClaimActions = Pick<ClaimsListProps, 'onEdit' | 'onDelete'>;

interface CharacterClaimsProps extends ClaimActions {
  character_name: string;
  claims: readonly ClaimOnRespawn[];
  today: string;
  spotOf: (claim: ClaimOnRespawn) => string;
}

/** The claims of one character by date; a row names its spot. */
export function CharacterClaims({
  character_name,
  claims,
  spotOf,
  ...rest
}: CharacterClaimsProps): ReactNode {
  return (
    <div className={styles.ofCharacter}>
      {daysInOrder(claims, rest.today).map((day) => (
        <DayRow
          key={day.key}
          day={day}
          respawn_name={character_name}
          whoOf={spotOf}
          select={null}
          {...rest}
        />
      ))}
    </div>
  );
}

function headsOf(rows: readonly ListRow[]): number[] {
  let head = 0;
  return rows.map((row, index) => {
    if (row.kind !== 'day') head = index;
    return head;
  });
}

function heightOf(row: ListRow | undefined): number {
  return row?.kind === 'day' ? row.day.claims.length * LINE_PX : HEAD_PX;
}

interface RowProps extends Omit<ClaimsListProps, 'groups' | 'order' | 'selection'> {
  row: ListRow;
  select: RowSelection | null;
}

function Row({
  row,
  select,
  today,
  complete,
  clearCountOf,
  onEdit,
  onDelete,
  onClear,
}: RowProps): ReactNode {
  return row.kind === 'head' ? (
    <GroupHead
      group={row.group}
      complete={complete}
      clearCount={clearCountOf(row.group.respawn_id)}
      onClear={() => onClear(row.group)}
    />
  ) : (
    <DayRow
      day={row.day}
      respawn_name={row.group.name}
      today={today}
      select={select}
      onEdit={onEdit}
      onDelete={onDelete}
    />
  );
}

interface GroupHeadProps {
  group: ClaimGroup;
  complete: boolean;
  clearCount: number;
  onClear: () => void;
}

function GroupHead({ group, complete, clearCount, onClear }: GroupHeadProps): ReactNode {
  const { t } = useTranslation();
  const { name, image_url } = group;
  const mayClaims = useMay('claims');
  const clearAll = {
    small: true,
    'aria-label': t('admin.claims.clearName', { respawn: name, count: clearCount }),
    children: t('admin.claims.clear', { count: clearCount }),
  } as const;
  return (
    <div className={styles.head}>
      {image_url ? <Emblem src={image_url} name={name} size={32} /> : null}
      <h2 className={styles.respawn}>{name}</h2>
      <span className={styles.headCount}>
        {t('admin.claims.count', { count: countClaims([group]) })}
      </span>
      {!mayClaims || clearCount === 0 ? null : complete ? (
        <Button {...clearAll} variant="danger" onClick={onClear} />
      ) : (
        <BlockedButton {...clearAll} reason={t('admin.claims.notAllLoaded')} />
      )}
    </div>
  );
}

interface RowSelection {
  selection: Selection;
  onTick: SelectionKeys['onTick'];
}

interface DayRowProps extends ClaimActions {
  day: ClaimDay;
  respawn_name: string;
  today: string;
  /** null: claims cannot be selected. */
  select: RowSelection | null;
  /** The name of a row; by default the character. */
  whoOf?: (claim: ClaimOnRespawn) => ReactNode;
}

const linkToMember = ({ character_name }: ClaimOnRespawn): ReactNode => (
  <MemberLink name={character_name} />
);

function DayRow({
  day,
  respawn_name,
  today,
  select,
  whoOf = linkToMember,
  onEdit,
  onDelete,
}: DayRowProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const words = dayInWords(day);
  const isPast = day.date !== null && day.date < today;
  return (
    <div className={classes(styles.day, isPast && 'muted')}>
      <h3 className={styles.date}>
        {words}
        {day.date === today ? <Badge tone="accent">{t('time.today')}</Badge> : null}
        {isPast ? <Badge>{t('admin.claims.past')}</Badge> : null}
      </h3>
      <ul aria-label={t('admin.claims.dayOf', { respawn: respawn_name, date: words })}>
        {day.claims.map((claim) => (
          <ClaimRow
            key={claimKey(claim)}
            claim={claim}
            who={whoOf(claim)}
            day={words}
            date={day.date ?? today}
            select={select}
            onEdit={() => onEdit(claim)}
            onDelete={() => onDelete(claim)}
          />
        ))}
      </ul>
    </div>
  );
}

interface ClaimRowProps {
  claim: ClaimOnRespawn;
  who: ReactNode;
  /** Its date in words. */
  day: string;
  /** For local times: a claim of every day of an event has no date. */
  date: string;
  select: RowSelection | null;
  onEdit: () => void;
  onDelete: () => void;
}

function ClaimRow({ claim, who, day, date, select, onEdit, onDelete }: ClaimRowProps): ReactNode {
  const { t } = useTranslation();
  const mayClaims = useMay('claims');
  const { character_name: name, hour_start: start, hour_end: end } = claim;
  const about = { name, day, hours: t('time.range', { start, end }) };
  const edit = {
    small: true,
    variant: 'quiet',
    'aria-label': t('admin.claims.editName', about),
    children: t('admin.claims.edit'),
  } as const;
  return (
    <li className={styles.line}>
      {select ? (
        <SelectBox id={String(claim.id)} name={t('admin.claims.about', about)} {...select} />
      ) : null}
      <HoursText date={date} start={start} end={end} className={styles.hours} />
      <span className={styles.who}>{who}</span>
      <span className={styles.badges}>
        <MemberTypeBadge memberType={claim.member_type} />
        {claim.standing_id === null ? null : <WeeklySign />}
        {claim.split_part_number === null ? null : (
          <Badge>{t('board.splitPart', { part: claim.split_part_number })}</Badge>
        )}
        {claim.is_held ? null : <OnlineBadge hunt={{ ...claim, date }} />}
        {claim.held_until ? <HeldBadge until={claim.held_until} /> : null}
        {claim.is_secondary_claim ? (
          <Badge tone="accent">
            {t('admin.claims.secondary', { priority: claim.secondary_priority })}
          </Badge>
        ) : null}
      </span>
      {mayClaims ? (
        <span className={styles.actions}>
          {claim.is_held ? (
            <BlockedButton {...edit} reason={t('errors.hold.notEdited')} />
          ) : (
            <Button {...edit} onClick={onEdit} />
          )}
          <Button
            small
            variant="quiet"
            className={tab.destructive}
            onClick={onDelete}
            aria-label={t(
              claim.is_held ? 'admin.waitlist.endHoldOf' : 'admin.claims.deleteName',
              about,
            )}
          >
            {t(claim.is_held ? 'admin.waitlist.endHold' : 'common.delete')}
          </Button>
        </span>
      ) : null}
    </li>
  );
}

interface ListWindow extends Omit<WindowRows, 'virtualizer'> {
  onFocus: (key: string) => void;
  onBlur: () => void;
}

/**
 * Renders only the rows near the viewport, the focused row, and the head of the first visible group, so that it can stick to the top.
 * If the focused row is removed, the list's section takes the focus.
 * @param estimate the height of a row before it is measured, in pixels
 * @param headOf the index of a row's group head
 */
function useListWindow(
  box: RefObject<HTMLElement | null>,
  keys: readonly string[],
  estimate: (index: number) => number,
  headOf: (index: number) => number,
): ListWindow {
  const focused = useRef<string | null>(null);
  const indices = useMemo(() => new Map(keys.map((key, index) => [key, index])), [keys]);
  const { places, gapAfter, measure } = useWindowRows({
    keys,
    top: useOffsetTop(box),
    estimate,
    always: (first) => {
      const kept = focused.current === null ? undefined : indices.get(focused.current);
      return [headOf(first), ...(kept === undefined ? [] : [kept])];
    },
    leaveScroll: CSS.supports('overflow-anchor', 'auto'),
  });

  useLayoutEffect(() => {
    if (focused.current === null || indices.has(focused.current)) return;
    focused.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost) box.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true });
  }, [box, indices]);

  return {
    places,
    gapAfter,
    measure,
    onFocus: (key) => {
      focused.current = key;
    },
    onBlur: () => {
      focused.current = null;
    },
  };
}

/** The list's distance from the top of the page in pixels, measured after each render. */
function useOffsetTop(box: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    if (box.current) setTop(Math.round(box.current.getBoundingClientRect().top + window.scrollY));
  });
  return top;
}

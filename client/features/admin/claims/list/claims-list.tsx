import { Fragment, type ReactNode, useCallback, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { useMay } from '../../../../state/permissions.ts';
import { BlockedButton, Button } from '../../../../ui/button.tsx';
import { classes } from '../../../../ui/classes.ts';
import { Emblem } from '../../../../ui/emblem.tsx';
import { type Selection, useSelectionKeys } from '../../../../ui/selection/selection.tsx';
import styles from '../claims.module.css';
import { type ClaimGroup, countClaims, type ListRow, listRows } from '../shown/claim-groups.ts';
import { DayRow, type SelectLines } from './day-row.tsx';
import { useListWindow } from './use-list-window.ts';

export interface ClaimsListProps {
  groups: readonly ClaimGroup[];
  /** Today's server-save date. */
  today: string;
  /** All claims are here: how many would go with a respawn's is known. */
  complete: boolean;
  /** The ids of its claims, in their order. */
  order: readonly string[];
  /** null: none can be selected. */
  selection: Selection | null;
  onEdit: (claim: ClaimOnRespawn) => void;
  onDelete: (claim: ClaimOnRespawn) => void;
  onClear: (group: ClaimGroup) => void;
}

/** How high a row is until it is measured, in pixels. */
const HEAD_HEIGHT = 72;
const LINE_HEIGHT = 45;

/** By respawn, then by date. It scrolls with the page, and twenty-five thousand claims as well as ten. */
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
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that are pressed at its boxes are heard here
    <div ref={box} className={styles.list} onKeyDown={selection ? onKeyDown : undefined}>
      {list.places.map(({ index, gap }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <Fragment key={row.key}>
            {gap > 0 ? <div style={{ height: gap }} /> : null}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus is */}
            <div
              ref={list.measure}
              data-index={index}
              className={classes(row.kind === 'head' && styles.headRow, rows[index + 1]?.kind !== 'day' && styles.last)}
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

/** For each row the index of its group's head. */
function headsOf(rows: readonly ListRow[]): number[] {
  let head = 0;
  return rows.map((row, index) => {
    if (row.kind === 'head') head = index;
    return head;
  });
}

function heightOf(row: ListRow | undefined): number {
  return row?.kind === 'day' ? row.day.claims.length * LINE_HEIGHT : HEAD_HEIGHT;
}

interface RowProps extends Omit<ClaimsListProps, 'groups' | 'order' | 'selection'> {
  row: ListRow;
  select: SelectLines | null;
}

function Row({ row, select, today, complete, onEdit, onDelete, onClear }: RowProps): ReactNode {
  return row.kind === 'head' ? (
    <GroupHead group={row.group} complete={complete} onClear={() => onClear(row.group)} />
  ) : (
    <DayRow day={row.day} respawn_name={row.group.name} today={today} select={select} onEdit={onEdit} onDelete={onDelete} />
  );
}

interface GroupHeadProps {
  group: ClaimGroup;
  complete: boolean;
  onClear: () => void;
}

function GroupHead({ group, complete, onClear }: GroupHeadProps): ReactNode {
  const { t } = useTranslation();
  const { name, image_url } = group;
  const mayClaims = useMay('claims');
  const clearAll = {
    small: true,
    'aria-label': t('admin.claims.clearName', { respawn: name }),
    children: t('admin.claims.clear'),
  } as const;
  return (
    <div className={styles.head}>
      {image_url ? <Emblem src={image_url} name={name} size={32} /> : null}
      <h2 className={styles.respawn}>{name}</h2>
      <span className={styles.headCount}>{t('admin.claims.count', { count: countClaims([group]) })}</span>
      {!mayClaims ? null : complete ? (
        <Button {...clearAll} variant="danger" onClick={onClear} />
      ) : (
        <BlockedButton {...clearAll} reason={t('admin.claims.notAllLoaded')} />
      )}
    </div>
  );
}

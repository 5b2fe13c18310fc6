import { memo, type ReactNode, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { useBoard } from '../../../state/board-store.ts';
import { type Choosing, useChoosing } from '../../../state/presence-store.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import { canBeWaitedFor, type Waits } from '../../claiming/use-waits.ts';
import { useLineOn } from '../../claiming/waitlist/line-on.ts';
import { useElsewhere } from '../../claiming/waitlist/use-elsewhere.ts';
import { useRing } from '../cards/use-ring.ts';
import { useJustChanged } from '../live-changes.ts';
import { cellAt } from './cell-moves.ts';
import { ClaimBar } from './claim-bar.tsx';
import { dayCells, waitingLanes } from './day-cells.ts';
import { ElsewhereBar } from './elsewhere-bar.tsx';
import { FreeHour, PastStretch } from './free-cells.tsx';
import { placeRow, type RowPlace } from './place.ts';
import styles from './spot-row.module.css';

export interface SpotRowProps extends RowPlace {
  id: number;
  date: string;
  /** How many hours of the day are over: the free ones after them lead to the claim form. */
  over: number;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  withCategory: boolean;
  /** The hours that are looked for, which the spot has. */
  wanted?: HourRange | null;
  waits?: Waits;
  /** The cell of this row that Tab stops at; null: it is in another row. */
  activeHour: number | null;
  activeLane: number | null;
}

/** A spot's day. Every live change passes by all rows, and only the one it is about may render: hence memo. */
export const SpotRow = memo(function SpotRow(props: SpotRowProps): ReactNode {
  const { id, date, over, viewer, withCategory, wanted = null, waits = 'off', activeHour, activeLane } = props;
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(id));
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const choosing = useChoosing(id, date);
  const line = useLineOn(id, date, waits);
  const changed = useJustChanged((just) => just.spots.has(id));
  const elsewhere = useElsewhere(id, date);
  const cells = useMemo(() => dayCells(claimsOn(date, claims ?? []), over, elsewhere), [date, claims, elsewhere, over]);
  const active = activeHour === null ? undefined : cellAt(cells, { hour: activeHour, lane: activeLane ?? 0 });
  const focus = useCellFocus();
  const [name, ringed] = useRing<HTMLDivElement>(id, date);
  if (!spot) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows of the timeline are placed by hand
    // biome-ignore lint/a11y/useFocusableInteractive: the cells take the focus
    <div
      role="row"
      {...placeRow(props)}
      {...focus}
      className={classes(styles.row, waitingLanes(cells) > 0 && styles.withWaiting, ringed && styles.ringed)}
      data-spot={id}
      data-hours-of={over < HOURS_IN_DAY ? id : undefined}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div ref={name} role="rowheader" aria-colindex={1} className={classes(styles.name, changed && styles.changed)} title={spot.name}>
        <Emblem src={spot.image_url} name={spot.name} size={24} />
        <span className={styles.words}>
          <span>{spot.name}</span>
          {withCategory ? <span className={styles.sub}>{spot.category_name ?? t('board.uncategorised')}</span> : null}
        </span>
      </div>
      {choosing.map((choice) => (
        <ChoosingHours key={`${choice.id} ${choice.hour_start}`} choice={choice} />
      ))}
      {cells.map((cell) => {
        const tabIndex = cell === active ? 0 : -1;
        if (cell.kind === 'past') return <PastStretch key={cell.key} cell={cell} date={date} tabIndex={tabIndex} />;
        if (cell.kind === 'elsewhere') {
          const mine = nameKey(cell.of.character_name) === viewer;
          const isOffered = waits === 'offered' && !mine && cell.hour_end > over;
          return (
            <ElsewhereBar key={cell.key} cell={cell} respawn_id={id} date={date} mine={mine} isOffered={isOffered} tabIndex={tabIndex} />
          );
        }
        if (cell.kind === 'free') {
          const chooser = choosing.find((choice) => choice.hour_start <= cell.hour_start && cell.hour_start < choice.hour_end);
          const begins = wanted?.hour_start === cell.hour_start ? wanted : null;
          return <FreeHour key={cell.key} cell={cell} date={date} spot={spot} chooser={chooser} wanted={begins} tabIndex={tabIndex} />;
        }
        const mine = nameKey(cell.claim.character_name) === viewer;
        const isOffered = waits === 'offered' && canBeWaitedFor(cell.claim, over, mine);
        return (
          <ClaimBar
            key={cell.key}
            cell={cell}
            date={date}
            mine={mine}
            line={line}
            isOffered={isOffered}
            viewer={viewer}
            tabIndex={tabIndex}
          />
        );
      })}
    </div>
  );
});

function ChoosingHours({ choice }: { choice: Choosing }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.choosing} style={{ gridColumn: `${choice.hour_start + 2} / ${choice.hour_end + 2}` }} aria-hidden="true">
      <span>{t('board.presence.choosing', { name: choice.name ?? t('board.presence.anAdmin') })}</span>
    </div>
  );
}

/**
 * Keeps the focus where it is when somebody claims the hour that has it: what stands there then gets it. React tells
 * of no blur when an element that has the focus is taken away.
 */
function useCellFocus(): { ref: React.RefObject<HTMLDivElement | null>; onFocus: () => void; onBlur: () => void } {
  const ref = useRef<HTMLDivElement>(null);
  const has = useRef(false);
  useLayoutEffect(() => {
    if (has.current && document.activeElement === document.body) ref.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  return {
    ref,
    onFocus: () => {
      has.current = true;
    },
    onBlur: () => {
      has.current = false;
    },
  };
}

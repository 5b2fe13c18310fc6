import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../../shared/rules/hours.ts';
import { HOURS_IN_DAY } from '../../../../shared/rules/server-save.ts';
import { occupiedOn } from '../../../lib/occupied.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useOverlays } from '../../../state/overlays.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { claimsOn } from '../../claiming/day-claims.ts';
import { placeLabel } from '../../claiming/in-place/chosen-hours.tsx';
import { hourAt } from '../../claiming/in-place/hours-box.ts';
import styles from './strip-hint.module.css';

interface Pointed {
  strip: HTMLElement;
  /** null: the tile has the keyboard's focus. */
  hour: number | null;
  isTouch: boolean;
}

const stripAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-spot] [data-strip]') : null;

/** The strip of a tile, which has no scale of its own. */
const isSmall = (strip: HTMLElement): boolean => strip.dataset.strip === 'small';

/**
 * A scale below a tile's strip, and the hour below the pointer, with whose it is. One for all strips of the board, which have no
 * listeners for it.
 */
export function StripHint({ date }: { date: string }): ReactNode {
  const pointed = usePointed();
  const isChoosing = useOverlays(({ open }) => open.claimInPlace !== undefined);
  if (!pointed || isChoosing) return null;
  const { strip, hour } = pointed;
  const { left, width, top, height } = strip.getBoundingClientRect();
  const hourWidth = width / HOURS_IN_DAY;
  return createPortal(
    <div aria-hidden="true" className={styles.hint}>
      {hour === null ? null : (
        <div
          className={styles.hour}
          style={{ top, height, left: left + hour * hourWidth, width: hourWidth }}
        />
      )}
      <Bubble {...pointed}>
        {hour === null ? null : <HourText strip={strip} hour={hour} date={date} />}
      </Bubble>
    </div>,
    document.body,
  );
}

function usePointed(): Pointed | null {
  const [pointed, setPointed] = useState<Pointed | null>(null);
  useEffect(() => {
    const show = (strip: HTMLElement | null, hour: number | null, isTouch: boolean): void =>
      setPointed((before) => {
        if (!strip) return null;
        return before?.strip === strip && before.hour === hour ? before : { strip, hour, isTouch };
      });
    const hide = (): void => setPointed(null);
    const point = ({ target, clientX, pointerType, buttons }: PointerEvent): void => {
      const isTouch = pointerType !== 'mouse';
      if (isTouch && buttons === 0) return;
      const strip = stripAt(target);
      show(
        strip,
        strip && Math.min(Math.max(hourAt(strip, clientX), 0), HOURS_IN_DAY - 1),
        isTouch,
      );
    };
    const focus = ({ target }: FocusEvent): void => {
      const link =
        target instanceof Element && target.matches('a:focus-visible')
          ? target.closest('[data-spot]')
          : null;
      show(link?.querySelector<HTMLElement>('[data-strip="small"]') ?? null, null, false);
    };
    const listeners = new AbortController();
    const on = { signal: listeners.signal, passive: true };
    document.addEventListener('pointermove', point, on);
    document.addEventListener('pointerdown', point, on);
    document.addEventListener('pointerup', (event) => event.pointerType !== 'mouse' && hide(), on);
    document.addEventListener('pointercancel', hide, on);
    document.documentElement.addEventListener('pointerleave', hide, on);
    document.addEventListener('focusin', focus, on);
    document.addEventListener('focusout', hide, on);
    document.addEventListener('scroll', hide, { ...on, capture: true });
    return () => listeners.abort();
  }, []);
  return pointed?.strip.isConnected ? pointed : null;
}

const SCALE = [0, 6, 12, 18, HOURS_IN_DAY];

/** Below a tile's strip and as wide as it, with the scale; below the hour of a card's strip. */
function Bubble({ strip, hour, isTouch, children }: Pointed & { children: ReactNode }): ReactNode {
  const bubble = useRef<HTMLDivElement>(null);
  const isTile = isSmall(strip);
  useLayoutEffect(() => {
    if (!bubble.current) return;
    const { left, top, width, height } = strip.getBoundingClientRect();
    const hourWidth = width / HOURS_IN_DAY;
    const around =
      isTile || hour === null
        ? new DOMRect(left, top, width, height)
        : new DOMRect(left + hour * hourWidth, top, hourWidth, height);
    placeLabel(bubble.current, strip, around, isTouch);
  });
  return (
    <div ref={bubble} className={styles.bubble}>
      {isTile ? (
        <div className={styles.scale} style={{ width: strip.offsetWidth }}>
          {SCALE.map((mark) => (
            <span key={mark} style={{ left: `${(mark / HOURS_IN_DAY) * 100}%` }}>
              {mark}
            </span>
          ))}
        </div>
      ) : null}
      {children}
    </div>
  );
}

/** "SS+16 · 23:00 your time", and whose hour it is. */
function HourText({
  strip,
  hour,
  date,
}: {
  strip: HTMLElement;
  hour: number;
  date: string;
}): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const respawn_id = Number(strip.closest<HTMLElement>('[data-spot]')?.dataset.spot);
  const name = useBoard(({ claimsByRespawn, occupiedByRespawn }) => {
    const claims = claimsOn(date, claimsByRespawn.get(respawn_id) ?? []).filter(
      (claim) => !claim.is_secondary_claim,
    );
    const isHere = ({ hour_start, hour_end }: HourRange): boolean =>
      hour_start <= hour && hour < hour_end;
    return (
      (claims.find(isHere) ?? occupiedOn(occupiedByRespawn.get(respawn_id), date).find(isHere))
        ?.character_name ?? null
    );
  });
  return (
    <p>
      <b>{t('time.hour', { hour })}</b> · {t('time.localTime', { time: localTime(date, hour) })}
      {name === null ? null : <span>{name}</span>}
    </p>
  );
}

import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../shared/rules/names.ts';
import { instantOf, type ServerSaveClock } from '../../../shared/rules/server-save.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { claimKey } from '../../lib/claims.ts';
import { durationText, useInstantText } from '../../lib/time-text.ts';
import { useBoard } from '../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../state/clock.ts';
import {
  claimsOfCharacters,
  inOrder,
  isOnBoardDates,
  nextDate,
  type OwnClaimRow,
} from '../../state/own-claims.ts';
import { useSession } from '../../state/session-store.ts';
import { confirmTimeOf, useOwnFacts } from '../claiming/own/own-actions.ts';
import { OwnClaimButtons } from '../claiming/own/own-claim-buttons.tsx';
import type { Now } from './board-view.ts';
import styles from './my-hunts.module.css';

interface MyHuntsProps {
  event: ActiveEvent | null;
  onShow: (hunt: Hunt) => void;
}

/**
 * A sticky line with the current or next hunt of this browser's characters; pressing it shows the card. It has its own clock, so the board
 * doesn't render every minute.
 */
export function MyHunts({ event, onShow }: MyHuntsProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const listId = useId();
  const navigate = useNavigate();
  const line = useRef<HTMLElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  useCloseByLeaving(open, line, (byKey) => {
    setOpen(false);
    if (byKey) more.current?.focus();
  });
  const characters = useSession(
    useShallow(({ profiles }) => profiles.map((profile) => nameKey(profile.characterName))),
  );
  const mine = useBoard(useShallow((board) => claimsOfCharacters(characters, board)));
  const { date, hour } = useServerSaveTime();
  const clock = useServerSaveClock();
  const facts = useOwnFacts();
  const isAsked = ({ claim }: Hunt): boolean => confirmTimeOf(claim, facts)?.isOpen ?? false;
  const hunts = nextHunts(mine, event, { date, hour }, clock);
  // Claims that must be confirmed come first.
  const [first, ...others] = [...hunts.filter(isAsked), ...hunts.filter((hunt) => !isAsked(hunt))];
  if (!first) return null;
  const now = serverNow().getTime();
  const withCharacter = characters.length > 1;
  const show = (hunt: Hunt): void => {
    setOpen(false);
    if (isOnBoardDates(hunt.claim, event)) onShow(hunt);
    else void navigate('/mine');
  };
  const isOn = first.begins <= now;
  return (
    <aside ref={line} className={styles.line} aria-label={t('board.hunts.title')} data-hunts="">
      <button
        type="button"
        className={styles.hunt}
        title={t(isOnBoardDates(first.claim, event) ? 'board.hunts.show' : 'myClaims.title')}
        onClick={() => show(first)}
      >
        <HuntText hunt={first} now={now} withCharacter={withCharacter} />
      </button>
      {isOn || isAsked(first) ? (
        <span className={styles.own}>
          <OwnClaimButtons key={first.key} claim={first.claim} small />
        </span>
      ) : null}
      {others.length > 0 ? (
        <button
          ref={more}
          type="button"
          className={styles.more}
          aria-expanded={open}
          aria-controls={listId}
          aria-label={t('board.hunts.others', { count: others.length })}
          onClick={() => setOpen(!open)}
        >
          +{others.length}
        </button>
      ) : null}
      {isOn ? (
        <div
          className={styles.progress}
          style={{
            width: `${(((now - first.begins) / (first.ends - first.begins)) * 100).toFixed(1)}%`,
          }}
          aria-hidden="true"
        />
      ) : null}
      <ul id={listId} className={styles.others} hidden={!open}>
        {open
          ? others.map((hunt) => (
              <li key={`${hunt.key} ${hunt.respawn_id}`}>
                <button type="button" className={styles.hunt} onClick={() => show(hunt)}>
                  <HuntText hunt={hunt} now={now} withCharacter={withCharacter} isListed />
                </button>
              </li>
            ))
          : null}
      </ul>
    </aside>
  );
}

/** Escape, and a press outside of the line, close the list. */
function useCloseByLeaving(
  open: boolean,
  line: React.RefObject<HTMLElement | null>,
  close: (byKey: boolean) => void,
): void {
  const closeNow = useEffectEvent(close);
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') closeNow(true);
    };
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Node && !line.current?.contains(event.target)) closeNow(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
    };
  }, [open, line]);
}

interface HuntTextProps {
  hunt: Hunt;
  /** An instant, in milliseconds. */
  now: number;
  /** This browser has several characters. */
  withCharacter: boolean;
  /** In the list of those after the next one: only a current hunt is labelled. */
  isListed?: boolean;
}

/** "Next: Sea Serpents South, SS+20, Sun 06:00, in 5 h 14 min"; for a current hunt its end and the time left. */
function HuntText({ hunt, now, withCharacter, isListed = false }: HuntTextProps): ReactNode {
  const { t } = useTranslation();
  const instantText = useInstantText();
  const spot = useBoard((board) => board.byKind.respawn.get(hunt.respawn_id)?.name) ?? '';
  const timeOf = (instant: number): string => instantText(instant, 'dayAndClock');
  const inWords = (ms: number): string => durationText(t, ms);
  const isOn = hunt.begins <= now;
  return (
    <>
      {isListed && !isOn ? null : (
        <>
          <span className={isOn ? styles.on : styles.label}>
            {t(isOn ? 'board.hunts.now' : 'board.hunts.next')}
          </span>{' '}
        </>
      )}
      <span className={styles.where}>
        <b>{spot}</b>
        {withCharacter ? ` (${hunt.character_name})` : null}
      </span>
      <span className={styles.comma}>{isOn ? ' ' : ', '}</span>
      <span className={styles.when}>
        {isOn
          ? t('board.hunts.until', {
              hour: hunt.hour_end,
              time: timeOf(hunt.ends),
              left: inWords(hunt.ends - now),
            })
          : t('board.hunts.at', {
              hour: hunt.hour_start,
              time: timeOf(hunt.begins),
              left: inWords(hunt.begins - now),
            })}
      </span>
    </>
  );
}

/** A current or upcoming claim of this browser's characters. */
export interface Hunt {
  key: string;
  claim: OwnClaimRow;
  respawn_id: number;
  character_name: string;
  /** The server-save date on which it is next. */
  date: string;
  hour_start: number;
  hour_end: number;
  /** Instants, in milliseconds. */
  begins: number;
  ends: number;
}

/** Current hunts, then upcoming ones. Secondary claims and holds are not hunts. */
export function nextHunts(
  mine: readonly OwnClaimRow[],
  event: ActiveEvent | null,
  now: Now,
  clock: ServerSaveClock,
): Hunt[] {
  const { coming } = inOrder(mine, event, now);
  return coming
    .filter((claim) => !claim.is_secondary_claim && !claim.is_held)
    .map((claim) => {
      const { respawn_id, character_name, hour_start, hour_end } = claim;
      const date = nextDate(claim, event, now);
      const [begins, ends] = [hour_start, hour_end].map((hour) =>
        instantOf(date, hour, clock).getTime(),
      );
      return {
        key: claimKey(claim),
        claim,
        respawn_id,
        character_name,
        date,
        hour_start,
        hour_end,
        begins: begins ?? 0,
        ends: ends ?? 0,
      };
    });
}

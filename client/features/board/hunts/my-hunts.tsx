import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useShallow } from 'zustand/react/shallow';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { claimsOf } from '../../../state/own-claims.ts';
import { useDeeds } from '../../../state/own-deeds.ts';
import { useSession } from '../../../state/session-store.ts';
import { ImHereButton } from '../../../ui/im-here-button.tsx';
import { ReleaseRest } from '../own/release-rest.tsx';
import { HuntText } from './hunt-text.tsx';
import styles from './my-hunts.module.css';
import { type Hunt, nextHunts } from './next-hunts.ts';

interface MyHuntsProps {
  event: ActiveEvent | null;
  onShow: (hunt: Hunt) => void;
}

/**
 * One line that stays in view: the hunt that is on, or the next one, of all characters of this browser; a press shows its card.
 * It goes by a clock of its own, so that the board need not render each minute.
 */
export function MyHunts({ event, onShow }: MyHuntsProps): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const listId = useId();
  const line = useRef<HTMLElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  useCloseByLeaving(open, line, (byKey) => {
    setOpen(false);
    if (byKey) more.current?.focus();
  });
  const characters = useSession(useShallow(({ profiles }) => profiles.map((profile) => nameKey(profile.characterName))));
  const mine = useBoard(useShallow((board) => claimsOf(characters, board.claimsByRespawn)));
  const { date, hour } = useServerSaveTime();
  const clock = useServerSaveClock();
  const deedsOf = useDeeds();
  const isAsked = (hunt: Hunt): boolean => deedsOf(hunt.claim).confirm?.isOpen ?? false;
  const hunts = nextHunts(mine, event, { date, hour }, clock);
  // What is lost unless something is said stands first.
  const [first, ...others] = [...hunts.filter(isAsked), ...hunts.filter((hunt) => !isAsked(hunt))];
  if (!first) return null;
  const now = serverNow().getTime();
  const withCharacter = characters.length > 1;
  const show = (hunt: Hunt): void => {
    setOpen(false);
    onShow(hunt);
  };
  const isOn = first.begins <= now;
  return (
    <aside ref={line} className={styles.line} aria-label={t('board.hunts.title')} data-hunts="">
      <button type="button" className={styles.hunt} title={t('board.hunts.show')} onClick={() => show(first)}>
        <HuntText hunt={first} now={now} withCharacter={withCharacter} />
      </button>
      {isAsked(first) ? <HereNow hunt={first} /> : null}
      {isOn ? (
        <span className={styles.rest}>
          <ReleaseRest claim={first.claim} />
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
      <Link className={styles.all} to="/mine">
        {t('mine.title')}
      </Link>
      {isOn ? (
        <div
          className={styles.progress}
          style={{ width: `${(((now - first.begins) / (first.ends - first.begins)) * 100).toFixed(1)}%` }}
          aria-hidden="true"
        />
      ) : null}
      <ul id={listId} className={styles.others} hidden={!open}>
        {open
          ? others.map((hunt) => (
              <li key={`${hunt.key} ${hunt.respawn_id}`}>
                <button type="button" className={styles.hunt} onClick={() => show(hunt)}>
                  <HuntText hunt={hunt} now={now} withCharacter={withCharacter} />
                </button>
              </li>
            ))
          : null}
      </ul>
    </aside>
  );
}

/** Escape, and a press outside of the line, close the list. */
function useCloseByLeaving(open: boolean, line: React.RefObject<HTMLElement | null>, close: (byKey: boolean) => void): void {
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

/** Its holder says that they came, without leaving the board. */
function HereNow({ hunt: { claim } }: { hunt: Hunt }): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  const isOffline = useBoard((board) => board.connection === 'offline');
  const profile = useSession(({ profiles }) => profiles.find((one) => nameKey(one.characterName) === nameKey(claim.character_name)));
  if (!profile) return null;
  return (
    <span className={styles.here}>
      <ImHereButton small claim={claim} spot={spot} access_key={profile.accessKey} isOffline={isOffline} />
    </span>
  );
}

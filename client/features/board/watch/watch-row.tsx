import { memo, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import { instantOf } from '../../../../shared/rules/server-save.ts';
import { durationText } from '../../../lib/time-text.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { useSession } from '../../../state/session-store.ts';
import { useIsStarred } from '../../../state/stars.ts';
import { classes } from '../../../ui/classes.ts';
import { StarIcon } from '../../../ui/icons.tsx';
import { useMemberTypeLooks } from '../../../ui/member-type-badge.tsx';
import { OnlineMark } from '../../claiming/online-mark.tsx';
import { HoldText } from '../../claiming/waitlist/waitlist-parts.tsx';
import { useJustChanged } from '../live-changes.tsx';
import styles from './watch.module.css';
import { currentAndNext, HOURS_SHOWN, huntsAround, type WatchedHunt } from './watched-hours.ts';

interface WatchRowProps {
  id: number;
  /** The server-save date and hour now. */
  date: string;
  hour: number;
}

/** A spot in the hours around now. Memoized: one claim's change renders one row. */
export const WatchRow = memo(function WatchRow({ id, date, hour }: WatchRowProps): ReactNode {
  const name = useBoard((board) => board.byKind.respawn.get(id)?.name);
  const claims = useBoard((board) => board.claimsByRespawn.get(id));
  const outside = useBoard((board) => board.occupiedByRespawn.get(id));
  const event = useActiveEvent();
  const starred = useIsStarred(id);
  const changed = useJustChanged((just) => just.spots.has(id));
  const hunts = useMemo(
    () => huntsAround(claims ?? [], event, { date, hour }, outside),
    [claims, outside, event, date, hour],
  );
  return (
    <li className={styles.row} data-changed={changed || undefined}>
      <div className={styles.spot}>
        <h2>
          {starred ? <StarIcon size={20} /> : null}
          <span>{name}</span>
        </h2>
        <CurrentAndNext hunts={hunts} />
      </div>
      <Bars hunts={hunts} />
    </li>
  );
});

/** Who hunts now, and who is next. It has its own clock. */
function CurrentAndNext({ hunts }: { hunts: readonly WatchedHunt[] }): ReactNode {
  const { t } = useTranslation();
  const clock = useServerSaveClock();
  useServerSaveTime();
  const now = serverNow().getTime();
  const until = (date: string, hour: number): string =>
    durationText(t, instantOf(date, hour, clock).getTime() - now);
  const { on, next } = currentAndNext(hunts);
  return (
    <>
      {on?.claim.is_held ? (
        <p className="muted">
          <HoldText name={on.claim.character_name} until={on.claim.held_until} />
        </p>
      ) : (
        <p className={on ? 'strong' : 'good'}>
          {on
            ? t('board.watch.currentHunt', {
                name: on.claim.character_name,
                left: until(on.date, on.claim.hour_end),
              })
            : t('board.watch.freeNow')}
          {on ? <OnlineMark hunt={{ ...on.claim, date: on.date }} /> : null}
        </p>
      )}
      {next ? (
        <p className="muted">
          {t('board.watch.nextHunt', {
            name: next.claim.character_name,
            left: until(next.date, next.claim.hour_start),
          })}
          <OnlineMark hunt={{ ...next.claim, date: next.date }} />
        </p>
      ) : null}
    </>
  );
}

function Bars({ hunts }: { hunts: readonly WatchedHunt[] }): ReactNode {
  const { t } = useTranslation();
  const lookOf = useMemberTypeLooks();
  const viewer = useSession((session) =>
    session.current ? nameKey(session.current.characterName) : null,
  );
  return (
    <ol className={styles.bars}>
      {hunts.map(({ key, claim, from, to }) => {
        const start = Math.max(0, from);
        const end = Math.min(HOURS_SHOWN, to);
        const { ground, text, letter } = lookOf(claim.member_type ?? '');
        const place = {
          left: `${(start / HOURS_SHOWN) * 100}%`,
          width: `${((end - start) / HOURS_SHOWN) * 100}%`,
        };
        const isHeld = claim.is_held === 1;
        const isMine = nameKey(claim.character_name) === viewer;
        return (
          <li key={key} style={place}>
            <span
              className={classes(
                styles.bar,
                isHeld && styles.held,
                isMine && styles.mine,
                end - start <= 1 && styles.short,
                from < 0 && styles.cutBefore,
                to > HOURS_SHOWN && styles.cutAfter,
              )}
              style={isHeld ? { borderColor: ground } : { backgroundColor: ground, color: text }}
            >
              {isHeld ? (
                <span>
                  <HoldText name={claim.character_name} until={null} />
                </span>
              ) : (
                <>
                  <b
                    className={styles.letter}
                    data-letter={letter}
                    style={{ backgroundColor: text, color: ground }}
                    aria-hidden="true"
                  />
                  <span className={styles.hunter}>{claim.character_name}</span>
                </>
              )}
              <span className="visually-hidden">
                , {t('time.range', { start: claim.hour_start, end: claim.hour_end })}
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

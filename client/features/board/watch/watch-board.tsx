import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useInstantText } from '../../../lib/time-text.ts';
import { useEscape } from '../../../lib/use-escape.ts';
import { lastBoard } from '../../../state/board-place.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import { useNearDay } from '../../../state/near-day.ts';
import { playSound, SOUND_BUTTON, type SoundSwitch, useSound } from '../../../state/sound.ts';
import { followStars } from '../../../state/stars.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { Cluster } from '../../../ui/layout.tsx';
import { RecentChangesPanel, useRecentChanges } from './recent-changes.tsx';
import styles from './watch.module.css';
import { WatchRow } from './watch-row.tsx';
import { HOURS_SHOWN, hoursAround, positionOfNow, useWatchedSpots } from './watched-hours.ts';

/** The board for a second screen, read from across the room: the hours around now, and what has just changed. */
export function WatchBoard(): ReactNode {
  const { t } = useTranslation();
  useEffect(followStars, []);
  const { date, hour, elapsed } = useServerSaveTime();
  const now = { date, hour };
  const { ids, more, hunting } = useWatchedSpots(now);
  const sound = useSound();
  const news = useRecentChanges(playSound);
  return (
    <div className={styles.watch} data-watch="">
      <WatchHead hunting={hunting} sound={sound} />
      <div className={styles.sides}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach that */}
        <section className={styles.hunts} aria-label={t('board.watch.hunts')} tabIndex={0}>
          <HoursLane date={date} hour={hour} />
          {ids.length === 0 ? (
            <p className={styles.empty}>{t('board.watch.empty')}</p>
          ) : (
            <ul className={styles.rows} style={{ '--at': positionOfNow(elapsed) / HOURS_SHOWN }}>
              {ids.map((id) => (
                <WatchRow key={id} id={id} date={date} hour={hour} />
              ))}
            </ul>
          )}
          {more > 0 ? (
            <p className={styles.more}>{t('board.watch.more', { count: more })}</p>
          ) : null}
        </section>
        <RecentChangesPanel news={news} />
      </div>
    </div>
  );
}

/** The hours above the rows, and the viewer's own time below each; where a day begins, its name. */
function HoursLane({ date, hour }: { date: string; hour: number }): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const nearDay = useNearDay();
  return (
    <div className={styles.lane} aria-hidden="true">
      <div className={styles.hours}>
        {hoursAround({ date, hour }).map((at, i, hours) => {
          const before = hours[i - 1];
          const isNow = at.date === date && at.hour === hour;
          return (
            <div key={`${at.date} ${at.hour}`} className={isNow ? styles.current : undefined}>
              <b>{t('time.hour', { hour: at.hour })}</b>
              <span>
                {at.hour === 0
                  ? nearDay(at.date)
                  : isNow
                    ? t('time.now')
                    : localTime(
                        at.date,
                        at.hour,
                        before?.date === at.date ? before.hour : undefined,
                      )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface WatchHeadProps {
  hunting: number;
  sound: SoundSwitch | null;
}

function WatchHead({ hunting, sound }: WatchHeadProps): ReactNode {
  const { t } = useTranslation();
  const instantText = useInstantText();
  const { hour, minutes_left } = useServerSaveTime();
  const full = useFullScreen();
  const wake = useWakeLock();
  const navigate = useNavigate();
  const board = { pathname: '/', search: lastBoard().search };
  useEscape(true, () => void navigate(board));
  return (
    <header className={styles.head}>
      <h1 className="visually-hidden">{t('board.watch.title')}</h1>
      <p className={styles.clock}>
        <b>{t('time.hour', { hour })}</b> <span>{instantText(serverNow(), 'clock')}</span>
      </p>
      <p className={styles.facts}>
        <span>{t('time.minutesLeft', { count: minutes_left })}</span>
        <span>{t('board.watch.hunting', { count: hunting })}</span>
      </p>
      <Cluster className={styles.tools}>
        {wake === 'held' ? null : <p className={styles.wake}>{t(`board.watch.wake.${wake}`)}</p>}
        {sound ? (
          <Button {...SOUND_BUTTON} aria-pressed={sound.sound !== 'off'} onClick={sound.press}>
            {t(`board.watch.sound.${sound.sound}`)}
          </Button>
        ) : null}
        {full.toggle ? (
          <Button aria-pressed={full.isOn} onClick={full.toggle}>
            {t(full.isOn ? 'board.watch.exitFullScreen' : 'board.watch.fullScreen')}
          </Button>
        ) : null}
        <ButtonLink variant="quiet" to={board} aria-keyshortcuts="Escape">
          {t('shell.notFound.action')}
          <span aria-hidden="true" className={styles.key} data-key="Esc" />
        </ButtonLink>
      </Cluster>
    </header>
  );
}

interface FullScreen {
  isOn: boolean;
  /** null: not supported, as on some phones. */
  toggle: (() => void) | null;
}

function subscribe(changed: () => void): () => void {
  document.addEventListener('fullscreenchange', changed);
  return () => document.removeEventListener('fullscreenchange', changed);
}

/** Full screen for the whole page, toasts and tooltips included, until it is left in any way. */
function useFullScreen(): FullScreen {
  const isOn = useSyncExternalStore(subscribe, () => Boolean(document.fullscreenElement));
  useEffect(() => leave, []);
  if (!document.fullscreenEnabled) return { isOn: false, toggle: null };
  const enter = (): void => void document.documentElement.requestFullscreen().catch(() => {});
  return { isOn, toggle: isOn ? leave : enter };
}

function leave(): void {
  if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
}

/** `held`: the screen stays on. `none`: this browser cannot do that. `refused`: it does not now, to save its battery for example. */
type WakeLockState = 'held' | 'unsupported' | 'refused';

/** Keeps the screen on. Browsers release the lock of a hidden page: request it again on return. */
function useWakeLock(): WakeLockState {
  const [wake, setWake] = useState<WakeLockState>(() =>
    'wakeLock' in navigator ? 'held' : 'unsupported',
  );
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let lock: WakeLockSentinel | null = null;
    let isOver = false;
    let isAsking = false;
    const take = async (): Promise<void> => {
      if (isOver || isAsking || document.visibilityState !== 'visible' || (lock && !lock.released))
        return;
      isAsking = true;
      try {
        lock = await navigator.wakeLock.request('screen');
        if (isOver) return void lock.release();
        lock.addEventListener(
          'release',
          () => void (document.visibilityState === 'visible' && !isOver && setWake('refused')),
        );
        setWake('held');
      } catch {
        if (!isOver) setWake('refused');
      } finally {
        isAsking = false;
      }
    };
    const look = (): void => void take();
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', look);
      void lock?.release();
    };
  }, []);
  return wake;
}

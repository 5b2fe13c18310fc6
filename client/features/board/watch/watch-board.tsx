import { type CSSProperties, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useServerSaveTime } from '../../../state/clock.ts';
import { playSound, useSound } from '../../../state/sound.ts';
import { followStars } from '../../../state/stars.ts';
import { useLocalTime } from '../../../ui/hours/hours-text.tsx';
import { useShortDate } from '../../claiming/claim-words.tsx';
import { HOURS_SHOWN, hoursAround, placeOfNow } from './hours-around.ts';
import { NewsPanel } from './news-panel.tsx';
import { useNews } from './use-news.ts';
import { useWatchedSpots } from './use-watched-spots.ts';
import styles from './watch.module.css';
import { WatchHead } from './watch-head.tsx';
import { WatchRow } from './watch-row.tsx';

/** The board for a second screen, read from across the room: the hours around now, and what has just changed. */
export function WatchBoard(): ReactNode {
  const { t } = useTranslation();
  useEffect(followStars, []);
  const { date, hour, elapsed } = useServerSaveTime();
  const now = { date, hour };
  const { ids, more, hunting } = useWatchedSpots(now);
  const sound = useSound();
  const news = useNews(playSound);
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
            <ul className={styles.rows} style={{ '--at': placeOfNow(elapsed) / HOURS_SHOWN } as CSSProperties}>
              {ids.map((id) => (
                <WatchRow key={id} id={id} date={date} hour={hour} />
              ))}
            </ul>
          )}
          {more > 0 ? <p className={styles.more}>{t('board.watch.more', { count: more })}</p> : null}
        </section>
        <NewsPanel news={news} />
      </div>
    </div>
  );
}

/** The hours above the rows, and the viewer's own time below each; where a day begins, its name. */
function HoursLane({ date, hour }: { date: string; hour: number }): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const shortDate = useShortDate();
  return (
    <div className={styles.lane} aria-hidden="true">
      <div className={styles.hours}>
        {hoursAround({ date, hour }).map((at) => {
          const isNow = at.date === date && at.hour === hour;
          return (
            <div key={`${at.date} ${at.hour}`} className={isNow ? styles.current : undefined}>
              <b>{t('time.hour', { hour: at.hour })}</b>
              <span>{at.hour === 0 ? shortDate(at.date) : isNow ? t('time.now') : localTime(at.date, at.hour)}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

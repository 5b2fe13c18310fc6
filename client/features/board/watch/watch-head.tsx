import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { boardLeft } from '../../../lib/board-place.ts';
import { formatterIn, useTimeZone } from '../../../lib/time-zone.ts';
import { formatLocale } from '../../../lib/words/local-time.ts';
import { serverNow, useServerSaveTime } from '../../../state/clock.ts';
import { SOUND_BUTTON, type SoundSwitch } from '../../../state/sound.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useWakeLock } from './use-wake-lock.ts';
import styles from './watch.module.css';

const TIME = { hour: '2-digit', minute: '2-digit' } as const;

interface WatchHeadProps {
  /** How many hunt now. */
  hunting: number;
  /** null: this browser makes none. */
  sound: SoundSwitch | null;
}

/** What time it is, how many hunt, and what the second screen can do. */
export function WatchHead({ hunting, sound }: WatchHeadProps): ReactNode {
  const { t, i18n } = useTranslation();
  const here = useTimeZone();
  const { hour, minutes_left } = useServerSaveTime();
  const full = useFullScreen();
  const wake = useWakeLock();
  return (
    <header className={styles.head}>
      <h1 className="visually-hidden">{t('board.watch.title')}</h1>
      <p className={styles.clock}>
        <b>{t('time.hour', { hour })}</b> <span>{formatterIn(here, formatLocale(i18n.language), TIME).format(serverNow())}</span>
      </p>
      <p className={styles.facts}>
        <span>{t('time.minutesLeft', { count: minutes_left })}</span>
        <span>{t('board.watch.hunting', { count: hunting })}</span>
      </p>
      <div className={styles.tools}>
        {wake === 'held' ? null : <p className={styles.wake}>{t(`board.watch.wake.${wake}`)}</p>}
        {sound ? (
          <Button {...SOUND_BUTTON} aria-pressed={sound.sound !== 'off'} onClick={sound.press}>
            {t(`board.watch.sound.${sound.sound}`)}
          </Button>
        ) : null}
        {full.toggle ? (
          <Button aria-pressed={full.isOn} onClick={full.toggle}>
            {t(full.isOn ? 'board.watch.leaveFull' : 'board.watch.full')}
          </Button>
        ) : null}
        <ButtonLink variant="quiet" to={{ pathname: '/', search: boardLeft().search }}>
          {t('board.watch.leave')}
        </ButtonLink>
      </div>
    </header>
  );
}

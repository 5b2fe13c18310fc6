import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { dayEmbed, type SayInApp, type ShownDay } from '../../../../shared/discord/app-message.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import styles from './discord-app.module.css';
import { DiscordMessageView } from './discord-view.tsx';

/** What a member sees after `/spot` in Discord, made by the function that makes the app's messages. */
export function AppPreview(): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const clock = useServerSaveClock();
  const { date } = useServerSaveTime();
  const color = useBoard((board) => [...board.byKind.member_type.values()][0]?.background_color ?? null);
  const say: SayInApp = (key, params = {}) => t(key, params);
  return (
    <section aria-labelledby={id} className={styles.preview}>
      <h3 id={id} className={styles.subtitle}>
        {t('admin.discordApp.preview.title')}
      </h3>
      <p className={styles.muted}>{t('admin.discordApp.preview.text')}</p>
      <DiscordMessageView
        embeds={[dayEmbed(exampleDay(date, color), say, clock)]}
        buttons={[
          { label: t('discordApp.claim'), style: 'primary' },
          { label: t('discordApp.joinWaitlist') },
          { label: t('discordApp.openBoard') },
        ]}
        note={t('admin.discordApp.preview.onlyYou')}
      />
    </section>
  );
}

/** An invented day, with each kind of hour. */
const exampleDay = (date: string, background_color: string | null): ShownDay => ({
  respawn_name: 'Issavi',
  date,
  taken: [
    { hour_start: 10, hour_end: 14, character_name: 'Arden', is_held: false },
    { hour_start: 14, hour_end: 16, character_name: 'Mira', is_held: true },
  ],
  free: [
    { hour_start: 6, hour_end: 10 },
    { hour_start: 16, hour_end: 24 },
  ],
  over: 6,
  waitlist: [{ hour_start: 10, hour_end: 14, character_name: 'Jorun' }],
  background_color,
});

import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayEmbed, type SayInApp, type ShownDay } from '../../../../shared/discord/app-message.ts';
import { directContent, heldHoursText } from '../../../../shared/notice-words.ts';
import { addDays } from '../../../../shared/rules/server-save.ts';
import { LANGUAGES } from '../../../i18n.ts';
import { useTimeZone } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { Segmented } from '../../../ui/fields/segmented.tsx';
import styles from './discord-app.module.css';
import { DiscordMessageView } from './discord-view.tsx';

const MESSAGES = ['spot', 'hold'] as const;
type PreviewedMessage = (typeof MESSAGES)[number];

/** What members see in Discord, made by the functions that make the app's messages. */
export function AppPreview(): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [message, setMessage] = useState<PreviewedMessage>('spot');
  return (
    <section aria-labelledby={id} className={styles.preview}>
      <h3 id={id} className={styles.subtitle}>
        {t('admin.discordApp.preview.title')}
      </h3>
      <div>
        <Segmented
          label={t('admin.discordApp.preview.title')}
          value={message}
          options={MESSAGES.map((value) => ({
            value,
            label: t(`admin.discordApp.preview.${value}.name`),
          }))}
          onChange={setMessage}
        />
      </div>
      <p className="muted">{t(`admin.discordApp.preview.${message}.text`)}</p>
      {message === 'spot' ? <SpotDay /> : <HeldHours />}
    </section>
  );
}

/** The answer to `/spot`. */
function SpotDay(): ReactNode {
  const { t } = useTranslation();
  const clock = useServerSaveClock();
  const { date } = useServerSaveTime();
  const color = useBoard(
    (board) => [...board.byKind.member_type.values()][0]?.background_color ?? null,
  );
  const say: SayInApp = (key, params = {}) => t(key, params);
  return (
    <DiscordMessageView
      embeds={[dayEmbed(exampleDay(date, color), say, clock)]}
      buttons={[
        { label: t('discordApp.claim'), style: 'primary' },
        { label: t('discordApp.joinWaitlist') },
        { label: t('discordApp.openBoard') },
      ]}
      note={t('admin.discordApp.preview.onlyYou')}
    />
  );
}

function HeldHours(): ReactNode {
  const { t, i18n } = useTranslation();
  const clock = useServerSaveClock();
  const { date } = useServerSaveTime();
  const now = new Date(useNow());
  const recipient = {
    language: LANGUAGES.find(({ code }) => code === i18n.language)?.code ?? 'en',
    time_zone: useTimeZone(),
    clock,
    now,
    in_discord: true as const,
  };
  const hold = {
    ...EXAMPLE,
    date: addDays(date, 1),
    until: new Date(now.getTime() + HOLD_MS).toISOString(),
  };
  const { title, body } = heldHoursText((key, params) => t(key, params), recipient, hold);
  return (
    <DiscordMessageView
      content={directContent(title, body)}
      embeds={[]}
      buttons={[
        { label: t('discordApp.take'), style: 'primary' },
        { label: t('discordApp.decline') },
        { label: t('discordApp.openBoard') },
      ]}
    />
  );
}

const HOLD_MS = 10 * 60_000;
const EXAMPLE = { respawn_name: 'Issavi', character_name: 'Arden', hour_start: 14, hour_end: 18 };

/** An invented day, with each kind of hour. */
const exampleDay = (date: string, background_color: string | null): ShownDay => ({
  respawn_name: EXAMPLE.respawn_name,
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

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DiscordMessage, Embed } from '../../../../../shared/discord/message.ts';
import { formatterIn, useTimeZone } from '../../../../lib/time-zone.ts';
import { formatLocale } from '../../../../lib/words/local-time.ts';
import { Logo } from '../../../../ui/icons.tsx';
import styles from './discord-message.module.css';
import { DiscordText } from './discord-text.tsx';

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

/** A message as a channel in Discord shows it. */
export function DiscordMessageView({ message: { embeds } }: { message: DiscordMessage }): ReactNode {
  const { t } = useTranslation();
  const clock = useClock();
  return (
    <div className={styles.message}>
      <span className={styles.avatar}>
        <Logo size={26} />
      </span>
      <div className={styles.said}>
        <p className={styles.head}>
          <span className={styles.sender}>{t('common.appName')}</span>
          <span className={styles.app}>{APP}</span>
          <span className={styles.small}>{clock(new Date())}</span>
        </p>
        {embeds.map((embed) => (
          <EmbedView key={embed.title + embed.description} embed={embed} />
        ))}
      </div>
    </div>
  );
}

/** Discord writes it so in every language. */
const APP = 'APP';

function useClock(): (at: Date) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  return (at) => formatterIn(here, formatLocale(i18n.language), CLOCK).format(at);
}

function EmbedView({ embed: { title, description, color, timestamp } }: { embed: Embed }): ReactNode {
  const clock = useClock();
  return (
    <div className={styles.embed} style={{ borderLeftColor: `#${color.toString(16).padStart(6, '0')}` }}>
      <p className={styles.title}>
        <DiscordText text={title} />
      </p>
      <p>
        <DiscordText text={description} />
      </p>
      <p className={styles.small}>{clock(new Date(timestamp))}</p>
    </div>
  );
}

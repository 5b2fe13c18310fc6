import type { TFunction } from 'i18next';
import { Fragment, type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DiscordMessage, discordMessage, type Embed, type SayInDiscord } from '../../../../shared/discord/message.ts';
import { EVENT_KEY } from '../../../../shared/event-keys.ts';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { DestinationKind, Language } from '../../../../shared/schemas/destination.ts';
import type { PublicEvent, PublicEventType } from '../../../../shared/schemas/domain-events.ts';
import { loadSentencesOf } from '../../../i18n.ts';
import { formatLocale, formatterIn, useTimeZone } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Logo } from '../../../ui/icons.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import styles from './channel-form.module.css';
import { exampleEvent } from './example-events.ts';

interface ExampleProps {
  type: PublicEventType;
  kind: DestinationKind;
  language: Language;
}

/** An example message of a type, as its receiver shows it. */
export function Example({ type, kind, language }: ExampleProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const { date: today } = useServerSaveTime();
  const [timestamp] = useState(() => serverNow().toISOString());
  const guild_name = useBoard((board) => board.byKind.config.get(CONFIG_ID)?.guild_name ?? null);
  const news = exampleEvent(type, { timestamp, today, guild_name });
  return (
    <section aria-labelledby={id} className={styles.example}>
      <h3 id={id} className={styles.exampleTitle}>
        {t('admin.notifications.form.exampleOf', { name: t(`admin.notifications.events.${EVENT_KEY[type]}.name`) })}
      </h3>
      {kind === 'discord' ? <DiscordExample news={news} language={language} /> : <WebhookMessage news={news} />}
    </section>
  );
}

/** The message that the server would build of this event, in the channel's language. */
function DiscordExample({ news, language }: { news: PublicEvent; language: Language }): ReactNode {
  const { t } = useTranslation();
  const clock = useServerSaveClock();
  const { translate, failed } = useSentencesOf(language);
  if (failed) return <Alert tone="bad">{t('common.languageFailed')}</Alert>;
  if (!translate) {
    return (
      <Loading>
        <Skeleton height={140} />
      </Loading>
    );
  }
  const say: SayInDiscord = (key, params = {}) => translate(key, params);
  return <DiscordMessageView message={discordMessage([news], { say, clock })} />;
}

/** Loads a language's sentences; the language before stays in view meanwhile. */
function useSentencesOf(language: Language): { translate: TFunction | null; failed: boolean } {
  const [state, setState] = useState<{ translate: TFunction | null; failed: boolean }>({ translate: null, failed: false });
  useEffect(() => {
    let isWanted = true;
    const show = (next: typeof state): void => {
      if (isWanted) setState(next);
    };
    loadSentencesOf(language).then(
      (translate) => show({ translate, failed: false }),
      () => show({ translate: null, failed: true }),
    );
    return () => {
      isWanted = false;
    };
  }, [language]);
  return state;
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

/** A message as Discord shows it. */
function DiscordMessageView({ message: { embeds } }: { message: DiscordMessage }): ReactNode {
  const { t } = useTranslation();
  const clock = useClock();
  return (
    <div className={styles.discordMessage}>
      <span className={styles.discordAvatar}>
        <Logo size={26} />
      </span>
      <div className={styles.discordBody}>
        <p className={styles.discordHead}>
          <span className={styles.discordSender}>{t('common.appName')}</span>
          <span className={styles.discordApp}>{APP}</span>
          <span className={styles.discordSmall}>{clock(new Date())}</span>
        </p>
        {embeds.map((embed) => (
          <EmbedView key={embed.title + embed.description} embed={embed} />
        ))}
      </div>
    </div>
  );
}

/** The same in every language of Discord. */
const APP = 'APP';

function useClock(): (at: Date) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  return (at) => formatterIn(here, formatLocale(i18n.language), CLOCK).format(at);
}

function EmbedView({ embed: { title, description, color, timestamp } }: { embed: Embed }): ReactNode {
  const clock = useClock();
  return (
    <div className={styles.discordEmbed} style={{ borderLeftColor: `#${color.toString(16).padStart(6, '0')}` }}>
      <p className={styles.discordTitle}>
        <DiscordText text={title} />
      </p>
      <p>
        <DiscordText text={description} />
      </p>
      <p className={styles.discordSmall}>{clock(new Date(timestamp))}</p>
    </div>
  );
}

/** The part of Discord's markup that our messages use: escapes by \, **bold**, and times such as <t:1795269600:f>. */
const MARK = /\\(?<escaped>[^a-zA-Z0-9\s])|\*\*(?<bold>(?:\\.|(?!\*\*)[^\\])+)\*\*|<t:(?<unix>\d+):(?<style>[tfR])>/gu;

/** Text with Discord's markup. */
function DiscordText({ text }: { text: string }): ReactNode {
  return text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a fixed text
    <Fragment key={at}>
      {at > 0 ? <br /> : null}
      <Marked text={line} />
    </Fragment>
  ));
}

function Marked({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    parts.push(text.slice(end, match.index), <Mark key={match.index} of={match.groups ?? {}} />);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function Mark({ of: { escaped, bold, unix, style } }: { of: { [name: string]: string | undefined } }): ReactNode {
  if (bold !== undefined) {
    return (
      <strong>
        <Marked text={bold} />
      </strong>
    );
  }
  return unix === undefined ? escaped : <DiscordTime at={Number(unix) * 1000} style={style} />;
}

const DATE_AND_CLOCK = { ...CLOCK, day: 'numeric', month: 'long', year: 'numeric' } as const;
const MINUTE_MS = 60_000;

/** Discord shows times in the reader's time zone. */
function DiscordTime({ at, style }: { at: number; style: string | undefined }): ReactNode {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const locale = formatLocale(i18n.language);
  const words =
    style === 'R'
      ? new Intl.RelativeTimeFormat(locale).format(Math.round((at - Date.now()) / MINUTE_MS), 'minute')
      : formatterIn(here, locale, style === 't' ? CLOCK : DATE_AND_CLOCK).format(new Date(at));
  return <span className={styles.discordTime}>{words}</span>;
}

/** The headers and body that a webhook receives. */
function WebhookMessage({ news }: { news: PublicEvent }): ReactNode {
  const { t } = useTranslation();
  const headers = [
    ['webhook-id', 'msg_1042_3'],
    ['webhook-timestamp', String(Math.floor(Date.parse(news.timestamp) / 1000))],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ];
  return (
    <div className={styles.webhookMessage}>
      <p className={styles.webhookNote}>{t('admin.notifications.form.webhookNote')}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <pre className={styles.webhookJson} tabIndex={0}>
        {headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
        {'\n'}
        {JSON.stringify(news, null, 2)}
      </pre>
    </div>
  );
}

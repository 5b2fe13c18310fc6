import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatLocale, formatterIn, useTimeZone } from '../../../lib/time-text.ts';
import { classes } from '../../../ui/classes.ts';
import { Logo } from '../../../ui/icons.tsx';
import styles from './discord-view.module.css';

interface ShownEmbed {
  title: string;
  description: string;
  /** RGB */
  color?: number;
  /** ISO 8601 */
  timestamp?: string;
}

interface ShownButton {
  label: string;
  style?: 'primary' | 'danger';
}

interface DiscordMessageViewProps {
  content?: string;
  embeds: readonly ShownEmbed[];
  buttons?: readonly ShownButton[];
  /** A line below, such as who sees it. */
  note?: string;
}

/** A message as Discord shows it. Its buttons are pictures. */
export function DiscordMessageView({
  content,
  embeds,
  buttons = [],
  note,
}: DiscordMessageViewProps): ReactNode {
  const { t } = useTranslation();
  const clock = useClock();
  return (
    <div className={styles.message}>
      <span className={styles.avatar}>
        <Logo size={26} />
      </span>
      <div className={styles.body}>
        <p className={styles.head}>
          <span className={styles.sender}>{t('common.appName')}</span>
          <span className={styles.app}>{APP}</span>
          <span className={styles.small}>{clock(new Date())}</span>
        </p>
        {content ? (
          <div>
            <DiscordText text={content} />
          </div>
        ) : null}
        {embeds.map((embed) => (
          <EmbedView key={embed.title + embed.description} embed={embed} />
        ))}
        {buttons.length > 0 ? (
          <div className={styles.buttons}>
            {buttons.map(({ label, style }) => (
              <span key={label} className={classes(styles.button, style && styles[style])}>
                {label}
              </span>
            ))}
          </div>
        ) : null}
        {note ? <p className={styles.small}>{note}</p> : null}
      </div>
    </div>
  );
}

/** The same in every language of Discord. */
const APP = 'APP';
const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;

function useClock(): (at: Date) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  return (at) => formatterIn(here, formatLocale(i18n.language), CLOCK).format(at);
}

function EmbedView({
  embed: { title, description, color, timestamp },
}: {
  embed: ShownEmbed;
}): ReactNode {
  const clock = useClock();
  const borderLeftColor =
    color === undefined ? 'var(--d-mark)' : `#${color.toString(16).padStart(6, '0')}`;
  return (
    <div className={styles.embed} style={{ borderLeftColor }}>
      <p className={styles.title}>
        <Lines text={title} />
      </p>
      <div>
        <DiscordText text={description} />
      </div>
      {timestamp ? <p className={styles.small}>{clock(new Date(timestamp))}</p> : null}
    </div>
  );
}

/** A code block: the line breaks beside it are not shown. */
const CODE_BLOCK = /\n?```\n?([\s\S]*?)\n?```\n?/;

function DiscordText({ text }: { text: string }): ReactNode {
  // Every second part is the content of a code block.
  return text.split(CODE_BLOCK).map((part, at) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: the parts of a fixed text
    if (at % 2 === 0) return <Lines key={at} text={part} />;
    return (
      <pre key={at} className={styles.code}>
        {part}
      </pre>
    );
    // biome-ignore-end lint/suspicious/noArrayIndexKey: the parts of a fixed text
  });
}

function Lines({ text }: { text: string }): ReactNode {
  return text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a fixed text
    <Fragment key={at}>
      {at > 0 ? <br /> : null}
      <Marked text={line} />
    </Fragment>
  ));
}

/** The part of Discord's markup that our messages use: escapes by \, **bold**, and times such as <t:1795269600:f>. */
const MARK =
  /\\(?<escaped>[^a-zA-Z0-9\s])|\*\*(?<bold>(?:\\.|(?!\*\*)[^\\])+)\*\*|<t:(?<unix>\d+):(?<style>[tDfR])>/gu;

function Marked({ text }: { text: string }): ReactNode {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(MARK)) {
    parts.push(text.slice(end, match.index), <Mark key={match.index} of={match.groups ?? {}} />);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}

function Mark({
  of: { escaped, bold, unix, style },
}: {
  of: { [name: string]: string | undefined };
}): ReactNode {
  if (bold !== undefined) {
    return (
      <strong>
        <Marked text={bold} />
      </strong>
    );
  }
  return unix === undefined ? escaped : <DiscordTime at={Number(unix) * 1000} style={style} />;
}

const DATE = { day: 'numeric', month: 'long', year: 'numeric' } as const;
const MINUTE_MS = 60_000;

/** Discord shows times in the reader's time zone. */
function DiscordTime({ at, style }: { at: number; style: string | undefined }): ReactNode {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const locale = formatLocale(i18n.language);
  const format = style === 't' ? CLOCK : style === 'D' ? DATE : { ...CLOCK, ...DATE };
  const words =
    style === 'R'
      ? new Intl.RelativeTimeFormat(locale).format(
          Math.round((at - Date.now()) / MINUTE_MS),
          'minute',
        )
      : formatterIn(here, locale, format).format(new Date(at));
  return <span className={styles.time}>{words}</span>;
}

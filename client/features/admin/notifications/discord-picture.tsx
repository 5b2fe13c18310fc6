import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { BoardMessage } from '../../../../shared/discord/board-message.ts';
import { formatLocale, useTimeZone } from '../../../lib/time-text.ts';
import styles from './discord-picture.module.css';

/** What our messages use of Discord's markdown: escaped characters, bold, links and times. */
const MARKDOWN = /\\([^\w\s])|\*\*(.+?)\*\*(?!\*)|\[([^\]]+)\]\((\S+?)\)|<t:(\d+):([tD])>/g;
const ESCAPED = /\\([^\w\s])/g;

/** A message as Discord shows it to this reader. */
export function DiscordPicture({ message }: { message: BoardMessage }): ReactNode {
  const { i18n } = useTranslation();
  const timeZone = useTimeZone();
  const locale = formatLocale(i18n.language);
  const [{ title, description, footer, timestamp }] = message.embeds;
  const timeOf = (seconds: number, style: string): string =>
    new Intl.DateTimeFormat(locale, {
      timeZone,
      ...(style === 'D' ? { dateStyle: 'long' } : { timeStyle: 'short' }),
    }).format(new Date(seconds * 1_000));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
    <div className={styles.embed} tabIndex={0}>
      <p className={styles.title}>{title}</p>
      {description.split('\n').map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <p key={at} className={styles.line}>
          {marked(line, timeOf)}
        </p>
      ))}
      {footer && timestamp ? (
        <p className={styles.footer}>
          {footer.text} · {timeOf(Date.parse(timestamp) / 1_000, 't')}
        </p>
      ) : null}
    </div>
  );
}

function marked(line: string, timeOf: (seconds: number, style: string) => string): ReactNode[] {
  const parts: ReactNode[] = [];
  let from = 0;
  for (const match of line.matchAll(MARKDOWN)) {
    const [whole, sign, bold, text, , seconds, style = ''] = match;
    parts.push(line.slice(from, match.index));
    if (sign !== undefined) parts.push(sign);
    else if (bold !== undefined) parts.push(<strong>{bold.replace(ESCAPED, '$1')}</strong>);
    else if (text !== undefined) parts.push(<span className={styles.link}>{text}</span>);
    else parts.push(<time>{timeOf(Number(seconds), style)}</time>);
    from = match.index + whole.length;
  }
  parts.push(line.slice(from));
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
  return parts.map((part, at) => <Fragment key={at}>{part}</Fragment>);
}

import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../../../lib/time-zone.ts';
import { formatLocale } from '../../../../lib/words/local-time.ts';
import styles from './discord-message.module.css';

/** What of Discord's way of writing is in our messages: a sign as it is by \, **bold**, and times as <t:1795269600:f>. */
const MARK = /\\(?<sign>[^a-zA-Z0-9\s])|\*\*(?<bold>(?:\\.|(?!\*\*)[^\\])+)\*\*|<t:(?<unix>\d+):(?<style>[tfR])>/gu;

/** A text of a message as Discord draws it. */
export function DiscordText({ text }: { text: string }): ReactNode {
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

function Mark({ of: { sign, bold, unix, style } }: { of: { [name: string]: string | undefined } }): ReactNode {
  if (bold !== undefined) {
    return (
      <strong>
        <Marked text={bold} />
      </strong>
    );
  }
  return unix === undefined ? sign : <DiscordTime at={Number(unix) * 1000} style={style} />;
}

const CLOCK = { hour: '2-digit', minute: '2-digit' } as const;
const DATE_AND_CLOCK = { ...CLOCK, day: 'numeric', month: 'long', year: 'numeric' } as const;
const MINUTE_MS = 60_000;

/** Whoever reads it sees their own time: here that of whoever looks at the example. */
function DiscordTime({ at, style }: { at: number; style: string | undefined }): ReactNode {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const locale = formatLocale(i18n.language);
  const words =
    style === 'R'
      ? new Intl.RelativeTimeFormat(locale).format(Math.round((at - Date.now()) / MINUTE_MS), 'minute')
      : formatterIn(here, locale, style === 't' ? CLOCK : DATE_AND_CLOCK).format(new Date(at));
  return <span className={styles.time}>{words}</span>;
}

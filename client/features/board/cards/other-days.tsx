import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import { wordsOf } from '../../../lib/words/search.ts';
import { classes } from '../../../ui/classes.ts';
import { ChevronDownIcon } from '../../../ui/icons.tsx';
import { foundOn, type OtherDay } from '../../claiming/day-claims.ts';
import { ClaimList } from './claim-list.tsx';
import styles from './other-days.module.css';

const MOST_NAMED = 2;

interface OtherDaysProps {
  days: readonly OtherDay[];
  after: string;
  viewer: string | null;
  search: string;
  /** On a tile: how many there are, and no more. */
  brief?: boolean;
}

/** The spot's claims on other days: a line that opens. What the search found on them stands there without that. */
export function OtherDays({ days, after, viewer, search, brief = false }: OtherDaysProps): ReactNode {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  const listId = useId();
  if (days.length === 0) return null;
  const locale = formatLocale(i18n.language);
  // The days to come are what one looks for.
  const inOrder = [...days.filter((day) => day.date > after), ...days.filter((day) => day.date < after)];
  const named = inOrder
    .slice(0, MOST_NAMED)
    .map((day) =>
      t('board.claimsOn', { date: dateInWords(day.date, locale, { weekday: 'short', day: 'numeric' }), count: day.claims.length }),
    );
  const more = days.length - MOST_NAMED;
  const summary = brief
    ? t('board.otherDays', { count: days.length })
    : [...named, ...(more > 0 ? [t('board.moreDays', { count: more })] : [])].join(' · ');
  const shown = open ? days : foundOn(days, wordsOf(search));
  return (
    <div className={classes(styles.others, brief && styles.brief)}>
      <button type="button" className={styles.toggle} aria-expanded={open} aria-controls={listId} onClick={() => setOpen(!open)}>
        <span>{summary}</span>
        <ChevronDownIcon size={14} />
      </button>
      <div id={listId} hidden={shown.length === 0}>
        {shown.map((day) => (
          <section key={day.date}>
            <h4 className={styles.day}>{dateInWords(day.date, locale)}</h4>
            <ClaimList claims={day.claims} date={day.date} viewer={viewer} hour={null} search={search} narrow={brief && !open} />
          </section>
        ))}
      </div>
    </div>
  );
}

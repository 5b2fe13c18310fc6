import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeZone } from '../../../lib/time-zone.ts';
import { type DayTurn, dayTurns, formatLocale } from '../../../lib/words/local-time.ts';
import { useServerSaveClock } from '../../../state/clock.ts';

/** Where the viewer's days begin in a server-save date. */
export function useDayTurns(date: string): DayTurn[] {
  const { i18n } = useTranslation();
  const clock = useServerSaveClock();
  const here = useTimeZone();
  return useMemo(() => dayTurns(date, { clock, here, language: formatLocale(i18n.language) }), [date, clock, here, i18n.language]);
}

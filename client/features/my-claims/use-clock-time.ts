import { useTranslation } from 'react-i18next';
import { formatterIn, useTimeZone } from '../../lib/time-zone.ts';
import { formatLocale } from '../../lib/words/local-time.ts';
import { useServerSaveClock } from '../../state/clock.ts';

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const DAY_AND_TIME = { weekday: 'short', ...TIME } as const;
/** Further away than this a time alone could be another day's, in milliseconds. */
const DAY_IN_DOUBT_MS = 12 * 3_600_000;

/** An instant on the reader's clock: "20:45", with its day where it is not near. */
export function useClockTime(): (at: number) => string {
  const { i18n } = useTranslation();
  const here = useTimeZone();
  const ahead_ms = useServerSaveClock((clock) => clock.ahead_ms);
  return (at) => {
    const isNear = Math.abs(at - Date.now() - ahead_ms) < DAY_IN_DOUBT_MS;
    return formatterIn(here, formatLocale(i18n.language), isNear ? TIME : DAY_AND_TIME)
      .format(at)
      .replace(',', '');
  };
}

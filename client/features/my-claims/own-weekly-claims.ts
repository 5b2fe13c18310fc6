import type { UseQueryOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { firstStandingDates, type StandingDates } from '../../../shared/rules/standing.ts';
import type { StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { getStanding } from '../../api/standing-calls.ts';
import type { Profile } from '../../state/saved-sessions.ts';
import { useLocalHours, useLocalTime } from '../../ui/hours/hours-text.tsx';

/** A character's weekly claims, which the list and the dialog read. */
export const ownWeeklyClaims = (
  profile: Profile | undefined,
): UseQueryOptions<StandingClaim[]> => ({
  queryKey: ['weekly claims', profile?.characterName],
  queryFn: ({ signal }) => getStanding(profile?.accessKey ?? '', signal),
  meta: { hasOwnKey: true },
});

/** The next date of a weekly claim, whether or not it is paused; without one the first on which it could be. */
const nextDateOf = (weeklyClaim: StandingDates, today: string): string =>
  firstStandingDates(weeklyClaim, today, 1)[0] ?? weeklyClaim.from;

/**
 * When the hours of a weekly claim are for the viewer. Where their day is another, it is named for each of the weekdays; without a
 * weekday none is named.
 */
export function useWeeklyLocalHours(): (
  weeklyClaim: StandingDates & HourRange,
  today: string,
) => string {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const localHours = useLocalHours();
  return (weeklyClaim, today) => {
    const { weekdays, hour_start: start, hour_end: end } = weeklyClaim;
    if (weekdays.length === 1) return localHours(nextDateOf(weeklyClaim, today), start, end);
    const clock = localTime(today, start, start);
    const days = weekdays.flatMap((weekday) => {
      const one = { ...weeklyClaim, weekdays: [weekday] };
      const date = nextDateOf(one, today);
      const time = localTime(date, start);
      // Its own clock: it may be another than today's, by daylight saving.
      const alone = localTime(date, start, start);
      return time.endsWith(` ${alone}`) ? [time.slice(0, -alone.length - 1)] : [];
    });
    const begin = days.length > 0 ? `${days.join(', ')} ${clock}` : clock;
    return t('time.localRange', { start: begin, end: localTime(today, end, end) });
  };
}

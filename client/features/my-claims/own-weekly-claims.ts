import type { UseQueryOptions } from '@tanstack/react-query';
import { firstStandingDates, type StandingDates } from '../../../shared/rules/standing.ts';
import type { StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { getStanding } from '../../api/standing-calls.ts';
import type { Profile } from '../../state/saved-sessions.ts';

/** A character's weekly claims, which the list and the dialog read. */
export const ownWeeklyClaims = (
  profile: Profile | undefined,
): UseQueryOptions<StandingClaim[]> => ({
  queryKey: ['weekly claims', profile?.characterName],
  queryFn: ({ signal }) => getStanding(profile?.accessKey ?? '', signal),
  meta: { hasOwnKey: true },
});

/** The next date of a weekly claim, whether or not it is paused; without one the first on which it could be. */
export const nextDateOf = (weeklyClaim: StandingDates, today: string): string =>
  firstStandingDates(weeklyClaim, today, 1)[0] ?? weeklyClaim.from;

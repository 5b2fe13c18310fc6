import type { UseQueryOptions } from '@tanstack/react-query';
import { firstStandingDates, type StandingDates } from '../../../shared/rules/standing.ts';
import type { StandingClaim } from '../../../shared/schemas/standing-claim.ts';
import { getStanding } from '../../api/standing-calls.ts';
import type { Profile } from '../../state/saved-sessions.ts';

/** A character's rules, which the list and the dialog read. */
export const ownStanding = (profile: Profile | undefined): UseQueryOptions<StandingClaim[]> => ({
  queryKey: ['standing', profile?.characterName],
  queryFn: ({ signal }) => getStanding(profile?.accessKey ?? '', signal),
  meta: { hasOwnKey: true },
});

/** The next date of a rule, whether or not it is paused; without one the first on which it could be. */
export const nextDateOf = (rule: StandingDates, today: string): string =>
  firstStandingDates(rule, today, 1)[0] ?? rule.from;

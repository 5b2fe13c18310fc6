import type { MissedRules } from './rules/missed-claims.ts';

type SayMissed = (
  key: 'missedClaims.warning' | 'missedClaims.days',
  params: { count: number } & Record<string, string | number>,
) => string;

/** How many claims a member missed, and when that keeps them from claiming (R9.29). */
export const missedWarning = (say: SayMissed, rules: MissedRules, count: number): string =>
  say('missedClaims.warning', {
    count,
    limit: rules.no_show_limit,
    days: say('missedClaims.days', { count: rules.no_show_days }),
    pause: say('missedClaims.days', { count: rules.no_show_pause_days }),
  });

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { ApiError } from '../../../api/request.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { Stack } from '../../../ui/layout.tsx';
import tab from '../tab.module.css';

const conflictingClaimsSchema = z.array(
  z.object({
    id: z.number(),
    character_name: z.string(),
    respawn_name: z.string(),
    date: z.string().nullable(),
    hour_start: z.number(),
    hour_end: z.number(),
  }),
);
export type ConflictingClaim = z.infer<typeof conflictingClaimsSchema>[number];

/** `params.claims` of event.claimsOutside, event.hoursTaken and activity.hoursTaken; undefined for any other failure. */
export const conflictingClaimsIn = (error: unknown): ConflictingClaim[] | undefined =>
  error instanceof ApiError
    ? conflictingClaimsSchema.safeParse(error.params.claims).data
    : undefined;

/** How many are in the way; `params.claims` holds the first hundred. */
export const countConflicts = (error: unknown): number =>
  (error instanceof ApiError && Number(error.params.count)) ||
  (conflictingClaimsIn(error) ?? []).length;

/** Names the claims in the way of an undo, or gives the reason. */
export function UndoObstacles({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const claims =
    error instanceof ApiError && error.code === 'activity.hoursTaken'
      ? conflictingClaimsIn(error)
      : undefined;
  return claims ? (
    <ConflictingClaims claims={claims} count={countConflicts(error)} />
  ) : (
    <p>{t('admin.activity.restoreFailed', { reason: errorText(error) })}</p>
  );
}

export function UndoQuestion({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack gap={2}>
      <UndoObstacles error={error} />
      <p>{t('admin.activity.restLater')}</p>
    </Stack>
  );
}

/** How many claims an undo could restore all the same; null: it could restore nothing. */
export const restorableIn = (error: unknown): number | null =>
  error instanceof ApiError && error.params.partial === true
    ? Number(error.params.restorable)
    : null;

interface ConflictingClaimsProps {
  claims: readonly ConflictingClaim[];
  /** How many there are, listed or not. */
  count: number;
}

export function ConflictingClaims({ claims, count }: ConflictingClaimsProps): ReactNode {
  const { t } = useTranslation();
  // A split claim is listed by its parts.
  const more = count - new Set(claims.map(({ id }) => id)).size;
  return (
    <ul
      aria-label={t('admin.conflictingClaims.list')}
      className={`${tab.claimLines} ${tab.conflicting}`}
    >
      {claims.map((claim) => (
        <Line key={`${claim.id} ${claim.respawn_name} ${claim.hour_start}`} claim={claim} />
      ))}
      {more > 0 ? <li>{t('admin.bulk.andMore', { count: more })}</li> : null}
    </ul>
  );
}

function Line({
  claim: { character_name, respawn_name, date, hour_start, hour_end },
}: {
  claim: ConflictingClaim;
}): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  return (
    <li>
      <strong>{character_name}</strong>
      <span>{respawn_name}</span>
      <span>{date ? dayText(date) : t('board.everyDay')}</span>
      {date ? (
        <HoursText date={date} start={hour_start} end={hour_end} />
      ) : (
        <span>{t('time.range', { start: hour_start, end: hour_end })}</span>
      )}
    </li>
  );
}

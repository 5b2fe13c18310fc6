import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Wait } from '../../../../shared/schemas/wait.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { dateInWords, formatLocale } from '../../../lib/words/local-time.ts';
import type { Choosing } from '../../../store/presence-store.ts';
import { useClaimsClosed } from '../../../store/use-claims-closed.ts';
import { HourStrip, type StripBar } from '../../../ui/hours/hour-strip.tsx';
import { useMemberTypeLooks } from '../../../ui/member-type-badge.tsx';
import { ownIn } from '../wait/line-on.ts';

export interface DayStripProps {
  date: string;
  /** Of that date. */
  claims: readonly ClaimOnRespawn[];
  choosing: readonly Choosing[];
  /** The SS time in hours with a fraction, when the date is today. */
  now: number | null;
  /** The viewer's character, as a name's key. */
  viewer: string | null;
  /** Who waits: one's own hours are marked. */
  line?: readonly Wait[];
  /** On a tile, which says beside it what there is to say. */
  small?: boolean;
  /** The id of the spot whose hours can be chosen here. */
  claimOf?: number | undefined;
}

/** A spot's day as a strip, on a card or a tile: whatever takes its hours in hand is put around this. */
export function DayStrip({ date, claims, choosing, now, viewer, line = [], small = false, claimOf }: DayStripProps): ReactNode {
  const { i18n } = useTranslation();
  const lookOf = useMemberTypeLooks();
  const isClosed = useClaimsClosed();
  const bars = claims.map(
    (claim): StripBar => ({
      key: claimKey(claim),
      hour_start: claim.hour_start,
      hour_end: claim.hour_end,
      look: lookOf(claim.member_type),
      mine: nameKey(claim.character_name) === viewer,
      kind: claim.is_secondary_claim ? 'waiting' : claim.is_held ? 'held' : 'claim',
    }),
  );
  for (const { id, hour_start, hour_end } of choosing) bars.push({ key: `${id} ${hour_start}`, kind: 'choosing', hour_start, hour_end });
  const own = ownIn(line, viewer);
  if (own?.status === 'waiting') bars.push({ key: `wait ${own.id}`, kind: 'wanted', hour_start: own.hour_start, hour_end: own.hour_end });
  return (
    <HourStrip
      bars={bars}
      now={now}
      small={small}
      label={small ? undefined : dateInWords(date, formatLocale(i18n.language))}
      claimOf={isClosed ? undefined : claimOf}
    />
  );
}

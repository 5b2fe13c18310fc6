import type { ClaimInput, Submission } from '../../../shared/schemas/claim.ts';
import type { Event } from '../../../shared/schemas/event.ts';
import type { Profile } from '../../store/saved-profiles.ts';
import { type ClaimFormRow, durationOf } from './form-state.ts';

/** What is posted for the rows of the form, all of which have a start hour by now. */
export function submissionBody(
  rows: readonly ClaimFormRow[],
  { profile, respawn_id, voucher, event }: { profile: Profile; respawn_id: number; voucher: number; event: Event | null },
): Submission {
  const claims = rows.flatMap((row): ClaimInput[] => {
    if (row.hour_start === null) return [];
    return [
      {
        respawn_id,
        character_name: profile.characterName,
        hour_start: row.hour_start,
        hour_end: row.hour_start + durationOf(row, voucher),
        // A single_claim event's claim has no date; a dated one names the event it was meant for, which may end meanwhile.
        ...(event?.type === 'single_claim' ? {} : { date: row.date }),
        ...(event ? { event_id: event.id } : {}),
        is_secondary_claim: 0,
        secondary_priority: 0,
        is_split_claim: 0,
        voucher_duration: voucher,
      },
    ];
  });
  return { claims, member_type: profile.memberType, access_key: profile.accessKey };
}

import type { Config } from '../../../shared/schemas/config.ts';
import type { MemberType } from '../../../shared/schemas/member-type.ts';

/** Why nobody of a member type can submit at the moment. */
export type SubmissionRefusal = { because: 'switched-off' } | { because: 'type' } | { because: 'too-early'; from: string };

/** R4.2 to R4.4, as the server goes by them; a member type that no longer exists may submit. */
export function submissionRefusal(config: Config | undefined, memberType: MemberType | undefined, today: string): SubmissionRefusal | null {
  if (config && !config.submission_enabled) return { because: 'switched-off' };
  if (!memberType) return null;
  if (memberType.can_submit !== 1) return { because: 'type' };
  const from = memberType.earliest_submission_date;
  return today < from ? { because: 'too-early', from } : null;
}

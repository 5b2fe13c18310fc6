import type { PublicEventType } from './schemas/domain-events.ts';

/** The locale key of each event type: a dot in the type itself would start a nested key. */
export const EVENT_KEY = {
  'claim.created': 'claimCreated',
  'claim.updated': 'claimUpdated',
  'claim.deleted': 'claimDeleted',
  'claim.transferred': 'claimTransferred',
  'event.activated': 'eventActivated',
  'event.deactivated': 'eventDeactivated',
  'hold.offered': 'holdOffered',
  'claim.no_show': 'claimNoShow',
  'claims.changed': 'claimsChanged',
  'submission.closed': 'submissionClosed',
  'submission.opened': 'submissionOpened',
} as const satisfies { [T in PublicEventType]: string };

const KNOWN = new Map<string, (typeof EVENT_KEY)[PublicEventType]>(Object.entries(EVENT_KEY));

/** null: another version's type. */
export const eventKeyOf = (type: string): (typeof EVENT_KEY)[PublicEventType] | null =>
  KNOWN.get(type) ?? null;

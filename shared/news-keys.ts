import type { NewsType } from './schemas/news.ts';

/** Under which key the sentences about a type of news stand: a dot would lead one level down. */
export const NEWS_KEY = {
  'claim.created': 'claimCreated',
  'claim.updated': 'claimUpdated',
  'claim.deleted': 'claimDeleted',
  'event.activated': 'eventActivated',
  'event.deactivated': 'eventDeactivated',
  'hold.offered': 'holdOffered',
  'claim.no_show': 'claimNoShow',
  'claims.changed': 'claimsChanged',
  'submission.closed': 'submissionClosed',
  'submission.opened': 'submissionOpened',
} as const satisfies { [T in NewsType]: string };

const KNOWN = new Map<string, (typeof NEWS_KEY)[NewsType]>(Object.entries(NEWS_KEY));

/** null: another version's type. */
export const newsKeyOf = (type: string): (typeof NEWS_KEY)[NewsType] | null => KNOWN.get(type) ?? null;

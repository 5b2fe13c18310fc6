import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { Writing } from '../../db/unit-of-work.ts';
import type { Job, OutsideKind, StoreOutcome } from '../../jobs/job-kind.ts';
import type { Sending } from '../outbound/post.ts';
import type { Notice } from './notice.ts';

/** A receiver of a character's notices by one medium: a browser, a Discord user. */
export interface Recipient {
  id: number;
  character_key: string;
  /** Jobs with the same receiver share a limit; null: none. */
  receiver: string | null;
}

/** One attempt to deliver a notice. */
interface Attempt<R, P> {
  to: R;
  job: Job<P>;
  current: Notice;
  wanted: PushPreferences;
  signal: AbortSignal;
}

interface Delivery<P> {
  outcome: 'delivered' | 'failed' | 'given_up' | 'switched_off';
  /** When to try again, unless the notice is worthless by then. */
  retry?: { at: string; payload: P };
  /** Stores the recipient's new state, such as a subscription that expired. */
  store?: StoreOutcome | undefined;
}

/** A way to notify members, which a feature adds. The sender does everything else: `sendBy`, `scheduleNotices`. */
export interface Medium<R extends Recipient = Recipient, P extends Notice = Notice> {
  /** In the metrics. */
  name: string;
  /** The job that sends one recipient a notice. Its key is the recipient's id and the notice's subject. */
  job: { kind: string; payload: z.ZodType<P> };
  limits: Pick<OutsideKind<P>, 'max_running' | 'max_running_per_receiver'>;
  /** A member's choices for this medium, in the place of those for push. */
  choices(preferences: PushPreferences): PushPreferences;
  /** The keys of characters from one on that may have recipients. */
  characterKeys(after: string): RawBuilder<{ character_key: string }>;
  recipientsOf(db: Db | Tx, character_keys: readonly string[]): Promise<readonly Recipient[]>;
  /** @returns null if it is gone or no longer valid */
  find(ctx: Sending, id: number): Promise<R | null>;
  /** When the recipient's back-off ends; null without one. */
  pausedUntil(to: R, now: Date): string | null;
  /** @throws the signal's reason if this server stops: the next one sends it */
  deliver(ctx: Sending, attempt: Attempt<R, P>): Promise<Delivery<P>>;
}

/** Later than any ISO time. */
export const NEVER = '9';

export interface NoticeContext extends Writing {
  media: readonly Medium[];
}

/** The keys of characters from one on that can be notified by any of the media, of which there is at least one. Without doublets. */
export const characterKeys = (
  media: readonly Medium[],
  after = '',
): RawBuilder<{ character_key: string }> =>
  sql`${sql.join(
    media.map((medium) => medium.characterKeys(after)),
    sql` union `,
  )}`;

/** The longest back-off, in milliseconds. */
const MAX_BACKOFF_MS = 6 * 3_600_000;

/** When a back-off ends; null without one. One that is too long was stored by a clock that has jumped back since. */
export function backoffEnd(
  { backoff_until }: { backoff_until: string | null },
  now: Date,
): string | null {
  const latest = new Date(now.getTime() + MAX_BACKOFF_MS).toISOString();
  return backoff_until !== null && backoff_until <= latest ? backoff_until : null;
}

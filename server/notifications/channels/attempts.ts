import { DELIVERIES_KEPT, type Delivery, MAX_ANSWER_LENGTH } from '../../../shared/schemas/destination.ts';
import { withoutSecrets } from '../../../shared/secrets.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Answer, MAX_KEPT_BYTES } from '../outbound/post.ts';

/** Seconds after each failed attempt; a message that then fails again is abandoned. */
const RETRY_AFTER_S: readonly number[] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** This many pauses that a receiver asks for don't use up an attempt of the schedule. */
const MAX_FREE_PAUSES = 3;

interface Failures {
  /** Failed attempts, this one included. */
  attempts: number;
  /** How many of the earlier ones were free pauses. */
  asked_to_wait: number;
}

/**
 * When to retry, in seconds from now; null: abandon the message. After MAX_FREE_PAUSES a requested pause only lengthens the
 * schedule's, or a receiver that always asks for one second would get the same message forever.
 * @param requested_s the pause that the receiver asks for now
 */
export function nextAttempt(
  { attempts, asked_to_wait }: Failures,
  requested_s: number | null,
): { seconds: number | null; asked_to_wait: number } {
  if (requested_s !== null && asked_to_wait < MAX_FREE_PAUSES) return { seconds: requested_s, asked_to_wait: asked_to_wait + 1 };
  const scheduled = RETRY_AFTER_S[attempts - asked_to_wait - 1];
  return { seconds: scheduled === undefined ? null : Math.max(requested_s ?? 0, scheduled), asked_to_wait };
}

export type Attempt = Omit<Delivery, 'id'>;

const COLUMNS = ['id', 'message_id', 'type', 'at', 'attempt', 'status', 'error', 'ms', 'outcome', 'answer'] as const;

/** The newest first. */
export const lastAttempts = (db: Db | Tx, destination_id: number): Promise<Delivery[]> =>
  db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('destination_id', '=', destination_id)
    .orderBy('id', 'desc')
    .limit(DELIVERIES_KEPT)
    .execute();

/** Stores attempts, and deletes all but the newest DELIVERIES_KEPT of the channel. */
export async function storeAttempts(tx: Tx, destination_id: number, attempts: readonly Attempt[]): Promise<void> {
  const newest = attempts.slice(-DELIVERIES_KEPT).map((each) => ({ ...each, destination_id }));
  if (newest.length === 0) return;
  await tx.insertInto('deliveries').values(newest).execute();
  const [oldest] = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('destination_id', '=', destination_id)
    .orderBy('id', 'desc')
    .offset(DELIVERIES_KEPT - 1)
    .limit(1)
    .execute();
  if (oldest) await tx.deleteFrom('deliveries').where('destination_id', '=', destination_id).where('id', '<', oldest.id).execute();
}

/** Control characters; PostgreSQL stores no NUL. */
const CONTROLS = /\p{Cc}+/gu;
/** Shorter parts of an address are not secret, and occur in many sentences. */
const MIN_SECRET_LENGTH = 6;
const LAST_WORD = /[^\s"'<>(){}[\]|]+$/;

/**
 * The beginning of a receiver's answer for admins to read, without the channel's address in any encoding: whoever knows it could
 * write to the channel.
 */
export function answerText(answer: Answer, url: string): string {
  if (!answer.ok) return '';
  const { href, pathname, search } = new URL(url);
  const parts = (pathname + search).split(/[^\w-]+/).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const known = [url, href, pathname + search, pathname, search].filter(({ length }) => length > 1);
  // An answer that was cut off may end in half an address.
  const body = Buffer.byteLength(answer.body) < MAX_KEPT_BYTES - 3 ? answer.body : answer.body.replace(LAST_WORD, '');
  return withoutSecrets(body, [...known, ...parts])
    .replace(CONTROLS, ' ')
    .slice(0, MAX_ANSWER_LENGTH)
    .toWellFormed();
}

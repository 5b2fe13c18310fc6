import { DELIVERIES_KEPT, type Delivery, MAX_ANSWER_LENGTH } from '../../../shared/schemas/destination.ts';
import { withoutSecrets } from '../../../shared/secrets.ts';
import type { Db, Tx } from '../../db/open.ts';
import { type Answer, MOST_KEPT } from '../outbound/post.ts';

export type Try = Omit<Delivery, 'id'>;

const COLUMNS = ['id', 'message_id', 'type', 'at', 'attempt', 'status', 'error', 'ms', 'outcome', 'answer'] as const;

/** How the last tries of a destination fared, the newest first. */
export const lastDeliveries = (db: Db | Tx, destination_id: number): Promise<Delivery[]> =>
  db
    .selectFrom('deliveries')
    .select(COLUMNS)
    .where('destination_id', '=', destination_id)
    .orderBy('id', 'desc')
    .limit(DELIVERIES_KEPT)
    .execute();

/** Stores how some tries fared; of each destination the newest stay. */
export async function storeTries(tx: Tx, destination_id: number, tries: readonly Try[]): Promise<void> {
  const newest = tries.slice(-DELIVERIES_KEPT).map((each) => ({ ...each, destination_id }));
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
/** Shorter parts of an address are no secret, and occur in many sentences. */
const MIN_SECRET_LENGTH = 6;
const LAST_WORD = /[^\s"'<>(){}[\]|]+$/;

/**
 * The beginning of a receiver's answer for admins to read, without the channel's address in any encoding: whoever knows it could
 * write to the channel.
 */
export function saidBy(answer: Answer, url: string): string {
  if (!answer.ok) return '';
  const { href, pathname, search } = new URL(url);
  const parts = (pathname + search).split(/[^\w-]+/).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const known = [url, href, pathname + search, pathname, search].filter(({ length }) => length > 1);
  // An answer that was cut off may end in half an address.
  const body = Buffer.byteLength(answer.body) < MOST_KEPT - 3 ? answer.body : answer.body.replace(LAST_WORD, '');
  return withoutSecrets(body, [...known, ...parts])
    .replace(CONTROLS, ' ')
    .slice(0, MAX_ANSWER_LENGTH)
    .toWellFormed();
}

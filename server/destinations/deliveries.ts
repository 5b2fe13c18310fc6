import { DELIVERIES_KEPT, type Delivery, MAX_ANSWER_LENGTH } from '../../shared/schemas/destination.ts';
import type { Db, Tx } from '../db/open.ts';
import type { Answer } from '../outbound/post.ts';

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

/** Signs that are no text; PostgreSQL stores none of the first of them. */
const NO_TEXT = /\p{Cc}+/gu;
/** Shorter parts of an address are nobody's secret, and stand in every other sentence. */
const SHORTEST_SECRET = 6;

/** The beginning of what a receiver said, without the address, should it repeat that in whatever spelling: who reads it could write there. */
export function saidBy(answer: Answer, url: string): string {
  if (!answer.ok) return '';
  const { href, pathname, search } = new URL(url);
  const parts = (pathname + search).split(/[^\w-]+/).filter(({ length }) => length >= SHORTEST_SECRET);
  const secret = [url, href, pathname + search, pathname, search].filter(({ length }) => length > 1);
  const told = [...secret, ...parts].reduce((text, part) => text.replaceAll(part, '…'), answer.body);
  return told.replace(NO_TEXT, ' ').slice(0, MAX_ANSWER_LENGTH).toWellFormed();
}

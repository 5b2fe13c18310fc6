import { omit } from '../../../shared/omit.ts';
import { MAX_LIST } from '../../../shared/schemas/fields.ts';
import {
  type EndedTransfer,
  type Transfer,
  transfer,
  transferPlace,
} from '../../../shared/schemas/transfer.ts';
import { type Db, readByIds, type Tx } from '../../db/database.ts';
import { deleteOld } from '../../jobs/job-kind.ts';
import { oldestFirst, recordSource } from '../../live/record-kinds.ts';

/** A transfer with the columns that its record doesn't show. */
export interface StoredTransfer extends Transfer {
  from_key: string;
  to_key: string;
  ended_at: string | null;
  outcome: EndedTransfer['outcome'] | null;
}

const rows = (db: Db | Tx) => db.selectFrom('transfers').selectAll();
const openRows = (db: Db | Tx) => rows(db).where('ended_at', 'is', null).orderBy('id');
type Row = Awaited<ReturnType<ReturnType<typeof rows>['execute']>>[number];

const stored = ({ from_name, to_name, offered, wanted, ...row }: Row): StoredTransfer => ({
  ...row,
  from: from_name,
  to: to_name,
  offered: transferPlace.parse(JSON.parse(offered)),
  wanted: wanted === null ? null : transferPlace.parse(JSON.parse(wanted)),
});

export const transferRecord = (transfer: StoredTransfer): Transfer =>
  omit(transfer, 'from_key', 'to_key', 'ended_at', 'outcome');

export const ownersOf = ({
  from_key,
  to_key,
}: Pick<StoredTransfer, 'from_key' | 'to_key'>): string[] => [from_key, to_key];

export const openTransfers = async (db: Db | Tx): Promise<Transfer[]> =>
  (await openRows(db).execute()).map(stored).map(transferRecord);

/** The open transfers that a character made or got. */
export async function openTransfersOf(db: Db | Tx, character_key: string): Promise<Transfer[]> {
  const made = await openRows(db).where('from_key', '=', character_key).execute();
  const got = await openRows(db).where('to_key', '=', character_key).execute();
  return [...made, ...got].map(stored).map(transferRecord).sort(oldestFirst);
}

/** The open transfers that some characters made or got, by their keys, the oldest first. */
export async function openTransfersAmong(
  db: Db | Tx,
  character_keys: readonly string[],
  most = Number.MAX_SAFE_INTEGER,
): Promise<StoredTransfer[]> {
  const theirs = openRows(db).where((row) =>
    row.or([row('from_key', 'in', character_keys), row('to_key', 'in', character_keys)]),
  );
  return (await theirs.limit(most).execute()).map(stored);
}

/** Transfers of a character that ended since then without being accepted, the latest first. */
export async function endedTransfersOf(
  db: Db | Tx,
  character_key: string,
  since: string,
): Promise<EndedTransfer[]> {
  const found = [];
  for (const column of ['from_key', 'to_key'] as const)
    found.push(
      ...(await rows(db)
        .where(column, '=', character_key)
        .where('ended_at', '>=', since)
        .orderBy('id', 'desc')
        .limit(MAX_LIST)
        .execute()),
    );
  return found
    .map(stored)
    .flatMap((each) =>
      each.ended_at !== null && each.outcome !== null && each.outcome !== 'accepted'
        ? [{ ...transferRecord(each), ended_at: each.ended_at, outcome: each.outcome }]
        : [],
    )
    .sort((one, other) =>
      one.ended_at === other.ended_at ? other.id - one.id : one.ended_at > other.ended_at ? -1 : 1,
    )
    .slice(0, MAX_LIST);
}

/** Open or ended. */
export async function findTransfer(tx: Db | Tx, id: number): Promise<StoredTransfer | null> {
  const row = await rows(tx).where('id', '=', id).executeTakeFirst();
  return row ? stored(row) : null;
}

export async function findTransfers(tx: Tx, ids: readonly number[]): Promise<StoredTransfer[]> {
  return (
    await readByIds(ids, (some) => rows(tx).where('id', 'in', some).orderBy('id').execute())
  ).map(stored);
}

/** Open transfers that offer one of these claims or ask for it. */
export async function openTransfersOfClaims(
  tx: Tx,
  claim_ids: readonly number[],
): Promise<StoredTransfer[]> {
  const found = new Map<number, Row>();
  for (const column of ['claim_id', 'for_claim_id'] as const)
    for (const row of await readByIds(claim_ids, (some) =>
      openRows(tx).where(column, 'in', some).execute(),
    ))
      found.set(row.id, row);
  return [...found.values()].map(stored);
}

/** The offers that a character made since then, and those of them to another that are open; at most `most` are counted. */
export async function countOffers(
  tx: Tx,
  from_key: string,
  { to_key, since, most }: { to_key: string; since: string; most: number },
): Promise<{ made: number; to_one: number }> {
  const offers = tx.selectFrom('transfers').select('id').where('from_key', '=', from_key);
  const made = await offers
    .where('created_at', '>=', since)
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  const open = await offers
    .where('to_key', '=', to_key)
    .where('ended_at', 'is', null)
    .limit(most)
    .execute();
  return { made: made.length, to_one: open.length };
}

export async function hasOpenTransfers(tx: Tx): Promise<boolean> {
  return (
    (await tx
      .selectFrom('transfers')
      .select('id')
      .where('ended_at', 'is', null)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

export const allOpenTransfers = async (tx: Tx): Promise<StoredTransfer[]> =>
  (await openRows(tx).execute()).map(stored);

export const transfersDue = async (tx: Tx, until: string): Promise<StoredTransfer[]> =>
  (await openRows(tx).where('expires_at', '<=', until).execute()).map(stored);

/** When the first open transfer expires, of those that expire then or later. */
export async function firstExpiry(db: Db | Tx, from = ''): Promise<string | null> {
  const first = await db
    .selectFrom('transfers')
    .select('expires_at')
    .where('ended_at', 'is', null)
    .where('expires_at', '>=', from)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst();
  return first?.expires_at ?? null;
}

export const forgetTransfers = deleteOld({
  kind: 'transfer.forget',
  table: 'transfers',
  column: 'ended_at',
  key: 'id',
  // Members can read how their transfers ended for as long (`GET /endings/mine`).
  kept_days: 366,
});

export const transferRecords = recordSource('transfer', {
  schema: transfer,
  read: ({ tx }) => openTransfers(tx),
  order: oldestFirst,
});

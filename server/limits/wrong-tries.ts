import { sql } from 'kysely';
import { DomainError } from '../../shared/errors.ts';
import type { Db, Tx } from '../db/open.ts';
import type { WriteQueue } from '../db/write-queue.ts';
import type { AddressHash } from './address-hash.ts';

/** Wrong tries are counted for so long from the first of them, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
/** Past the limit one try in so long is evaluated, in milliseconds. */
const ONE_IN_MS = 30_000;
/** Wrong keys of an address that are evaluated; a whole guild may sit behind one. */
export const WRONG_KEYS = 30;
/** Rows of the table; beyond them, those that end first are deleted. */
export const MAX_ROWS = 10_000;

export interface WrongTries {
  /**
   * Evaluates a try, and counts it where it turns out wrong. Past the limit of wrong ones, further tries are refused unevaluated but
   * for one in 30 s, so that not even a right one is answered otherwise.
   * @param who tries what from where; only a hash of it is stored
   * @throws DomainError request.tooManyTries; whatever `evaluate` throws
   */
  attempt: <T>(who: string, evaluate: () => Promise<T>, isWrong: (error: unknown) => boolean) => Promise<T>;
  /** Counts a wrong try. @returns the seconds until the window ends where there were too many, else null */
  count: (who: string) => Promise<number | null>;
}

interface Options {
  db: Db;
  writes: Pick<WriteQueue, 'transaction'>;
  hashAddress: AddressHash;
  now: () => Date;
  /** Wrong tries that are evaluated in a window. */
  limit: number;
  /** Also counts tries whose outcome is not known yet: many at once must not all be evaluated. */
  countsPending?: boolean;
}

/** In the database, so that the servers that share it count together. Only wrong tries write, past the limit one in 30 s. */
export function createWrongTries({ db, writes, hashAddress, now, limit, countsPending = false }: Options): WrongTries {
  const pending = new Map<string, number>();
  const after = (ms: number): string => new Date(now().getTime() + ms).toISOString();
  const secondsUntil = (time: string): number => Math.max(1, Math.ceil((Date.parse(time) - now().getTime()) / 1_000));

  /** The seconds until the next try is evaluated; null where this one may be. Of several at once past the limit, one may. */
  const secondsToWait = async (who: string, others: number): Promise<number | null> => {
    const row = await db.selectFrom('wrong_tries').select(['tries', 'until', 'next_at']).where('who', '=', who).executeTakeFirst();
    const tries = row && row.until > now().toISOString() ? row.tries : 0;
    if (!row || tries < limit) return tries + others < limit ? null : 1;
    if (row.next_at > now().toISOString()) return secondsUntil(row.next_at);
    const taken = await writes.transaction((tx) =>
      tx
        .updateTable('wrong_tries')
        .set({ next_at: after(ONE_IN_MS) })
        .where('who', '=', who)
        .where('next_at', '=', row.next_at)
        .executeTakeFirst(),
    );
    return taken.numUpdatedRows === 1n ? null : ONE_IN_MS / 1_000;
  };

  const store = (who: string): Promise<{ tries: number; until: string }> =>
    writes.transaction(async (tx) => {
      const at = now().toISOString();
      const isOver = sql<boolean>`wrong_tries.until <= ${at}`;
      const [first, next] = [after(WINDOW_MS), after(ONE_IN_MS)];
      const counted = await tx
        .insertInto('wrong_tries')
        .values({ who, tries: 1, until: first, next_at: next })
        .onConflict((conflict) =>
          conflict.column('who').doUpdateSet({
            tries: sql`case when ${isOver} then 1 else wrong_tries.tries + 1 end`,
            until: sql`case when ${isOver} then ${first} else wrong_tries.until end`,
            next_at: next,
          }),
        )
        .returning(['tries', 'until'])
        .executeTakeFirstOrThrow();
      if (counted.tries === 1) await deleteOld(tx, at);
      return counted;
    });

  const count = async (who: string): Promise<number | null> => {
    const { tries, until } = await store(await hashAddress(who));
    return tries > limit ? secondsUntil(until) : null;
  };

  return {
    count,
    attempt: async (asked, evaluate, isWrong) => {
      const who = await hashAddress(asked);
      const others = countsPending ? (pending.get(who) ?? 0) : 0;
      pending.set(who, (pending.get(who) ?? 0) + 1);
      try {
        const seconds = await secondsToWait(who, others);
        if (seconds !== null) throw new DomainError('request.tooManyTries', { seconds });
        return await evaluate();
      } catch (error) {
        if (isWrong(error)) await store(who);
        throw error;
      } finally {
        const left = (pending.get(who) ?? 1) - 1;
        if (left > 0) pending.set(who, left);
        else pending.delete(who);
      }
    },
  };
}

async function deleteOld(tx: Tx, at: string): Promise<void> {
  await tx.deleteFrom('wrong_tries').where('until', '<=', at).execute();
  const { rows } = await tx
    .selectFrom('wrong_tries')
    .select(({ fn }) => fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  if (rows <= MAX_ROWS) return;
  const first = tx
    .selectFrom('wrong_tries')
    .select('who')
    .orderBy('until')
    .limit(rows - MAX_ROWS);
  await tx.deleteFrom('wrong_tries').where('who', 'in', first).execute();
}

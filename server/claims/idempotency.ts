import { DomainError } from '../../shared/errors.ts';
import { type ClaimRow, claimRow } from '../../shared/schemas/claim.ts';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../db/open.ts';
import { hashToken } from '../http/credentials.ts';
import type { AfterWrite } from './submit.ts';

/** How long a second answer is the first one, in days. */
const KEPT_DAYS = 2;

interface Request {
  /** Key or token: the same Idempotency-Key of another person is another request. */
  credential: string;
  idempotency_key: string;
  /** The request's body; a key must not be used for another one. */
  body: unknown;
}

/**
 * R4.11: a submission sent twice with one Idempotency-Key is stored once and answered twice. The answer is
 * stored in the submission's own transaction, so a crash in between loses neither or both.
 * @throws DomainError request.idempotencyReused when the key came with another body before
 */
export async function answerOnce(
  ctx: Context,
  request: Request,
  submit: (onWritten: AfterWrite) => Promise<ClaimRow[]>,
): Promise<ClaimRow[]> {
  const hashes = { credential_hash: hashToken(request.credential), request_hash: hashToken(JSON.stringify(request.body)) };
  const earlier = await storedAnswer(ctx.db, hashes, request.idempotency_key);
  if (earlier) return earlier;
  try {
    return await submit(async (tx, rows) => {
      const oldest = new Date(ctx.now().getTime() - KEPT_DAYS * 86_400_000).toISOString();
      await tx.deleteFrom('idempotent_answers').where('created_at', '<', oldest).execute();
      await tx
        .insertInto('idempotent_answers')
        .values({ ...hashes, idempotency_key: request.idempotency_key, answer: JSON.stringify(rows), created_at: ctx.now().toISOString() })
        .execute();
    });
  } catch (error) {
    // A twin that ran at the same time may have won: then its claims are what refused this one.
    const answer = error instanceof DomainError ? await storedAnswer(ctx.db, hashes, request.idempotency_key) : null;
    if (answer) return answer;
    throw error;
  }
}

async function storedAnswer(
  db: Db | Tx,
  hashes: { credential_hash: string; request_hash: string },
  idempotency_key: string,
): Promise<ClaimRow[] | null> {
  const row = await db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'answer'])
    .where('credential_hash', '=', hashes.credential_hash)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirst();
  if (!row) return null;
  if (row.request_hash !== hashes.request_hash) throw new DomainError('request.idempotencyReused');
  return claimRow.array().parse(JSON.parse(row.answer));
}

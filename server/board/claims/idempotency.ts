import { DomainError } from '../../../shared/errors.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { hashToken } from '../../auth/sessions.ts';
import { type Bound, type Db, prepared, type Reading, type Tx } from '../../db/database.ts';
import type { IdempotentAnswersTable } from '../../db/schema.ts';
import { daysBefore, deleteOld } from '../../jobs/job-kind.ts';
import type { WithinSubmission } from './submit.ts';

interface Request {
  /** Two senders may use the same key. */
  sender: string;
  idempotency_key: string;
  body: unknown;
}

/** Rolls back the second of two equal requests, which then gets the first one's answer. */
class AnsweredAlready extends Error {
  readonly rows: ClaimRow[];
  constructor(rows: ClaimRow[]) {
    super('answered already');
    this.rows = rows;
  }
}

/**
 * R4.11: a submission sent twice with one Idempotency-Key is stored once and answered twice. The answer is stored in the submission's
 * transaction, so a crash loses both or neither.
 * @throws DomainError request.idempotencyReused if the key was used with another body
 */
export async function answerOnce(
  ctx: Reading,
  { sender, idempotency_key, body }: Request,
  submit: Submit,
): Promise<ClaimRow[]> {
  const hashes = {
    credential_hash: hashToken(sender),
    // Hashed, because it may contain any characters.
    idempotency_key: hashToken(idempotency_key),
    request_hash: hashToken(JSON.stringify(body)),
  };
  const earlier = await storedAnswer(ctx, ctx.db, hashes);
  if (earlier) return earlier;
  try {
    return await submit({
      before: async (tx) => {
        const answer = await storedAnswer(ctx, tx, hashes);
        if (answer) throw new AnsweredAlready(answer);
      },
      after: async (tx, rows) => {
        await keepAnswer(tx, {
          ...hashes,
          answer: JSON.stringify(rows),
          created_at: ctx.now().toISOString(),
        });
      },
    });
  } catch (error) {
    if (error instanceof AnsweredAlready) return error.rows;
    throw error;
  }
}

type Submit = (within: WithinSubmission) => Promise<ClaimRow[]>;
type RequestHashes = Record<'credential_hash' | 'idempotency_key' | 'request_hash', string>;

async function storedAnswer(
  ctx: Reading,
  db: Db | Tx,
  { credential_hash, idempotency_key, request_hash }: RequestHashes,
): Promise<ClaimRow[] | null> {
  const [row] = await findAnswer(db, {
    credential_hash,
    idempotency_key,
    since: daysBefore(ctx.now(), KEPT_DAYS),
  });
  if (!row) return null;
  if (row.request_hash !== request_hash) throw new DomainError('request.idempotencyReused');
  // Not validated: an earlier version of the program may have given it.
  const answer: ClaimRow[] = JSON.parse(row.answer);
  return answer;
}

const keepAnswer = prepared((tx, bound: Bound<IdempotentAnswersTable>) =>
  tx
    .insertInto('idempotent_answers')
    .values({
      credential_hash: bound('credential_hash'),
      idempotency_key: bound('idempotency_key'),
      request_hash: bound('request_hash'),
      answer: bound('answer'),
      created_at: bound('created_at'),
    })
    // Replaces an expired answer that was not forgotten yet.
    .onConflict((old) =>
      old.columns(['credential_hash', 'idempotency_key']).doUpdateSet(({ ref }) => ({
        request_hash: ref('excluded.request_hash'),
        answer: ref('excluded.answer'),
        created_at: ref('excluded.created_at'),
      })),
    )
    .compile(),
);

const findAnswer = prepared(
  (db, bound: Bound<Record<'credential_hash' | 'idempotency_key' | 'since', string>>) =>
    db
      .selectFrom('idempotent_answers')
      .select(['request_hash', 'answer'])
      .where('credential_hash', '=', bound('credential_hash'))
      .where('idempotency_key', '=', bound('idempotency_key'))
      .where('created_at', '>=', bound('since'))
      .compile(),
);

/** How long a repeated request gets the first answer. */
const KEPT_DAYS = 2;

export const forgetAnswers = deleteOld({
  kind: 'answer.forget',
  table: 'idempotent_answers',
  column: 'created_at',
  key: 'created_at',
  kept_days: KEPT_DAYS,
});

import { DomainError } from '../../../shared/errors.ts';
import type { ClaimRow } from '../../../shared/schemas/claim.ts';
import { hashToken } from '../../auth/hash-token.ts';
import type { Db, Reading, Tx } from '../../db/open.ts';
import { type Bound, prepared } from '../../db/prepared.ts';
import type { IdempotentAnswersTable } from '../../db/schema.ts';
import { daysBefore, deleteOld } from '../../jobs/job-kind.ts';
import type { Writing } from '../../jobs/writing.ts';
import type { WithinSubmission } from './submit.ts';

interface Request {
  /** Who sends it: the same Idempotency-Key of another person is another request. */
  sender: string;
  idempotency_key: string;
  /** The request's body; a key must not be used for another one. */
  body: unknown;
}

/** Thrown inside the write of a twin that came second, so that nothing is written, and the first one's answer given. */
class AnsweredAlready extends Error {
  readonly rows: ClaimRow[];
  constructor(rows: ClaimRow[]) {
    super('answered already');
    this.rows = rows;
  }
}

/**
 * R4.11: a submission sent twice with one Idempotency-Key is stored once and answered twice. The answer is
 * stored in the submission's own transaction, so a crash in between loses neither or both.
 * @throws DomainError request.idempotencyReused when the key came with another body before
 */
export async function answerOnce(ctx: Reading & Writing, { sender, idempotency_key, body }: Request, submit: Submit): Promise<ClaimRow[]> {
  const asked = {
    credential_hash: hashToken(sender),
    // Hashed, because its signs may be any.
    idempotency_key: hashToken(idempotency_key),
    request_hash: hashToken(JSON.stringify(body)),
  };
  const earlier = await storedAnswer(ctx, ctx.db, asked);
  if (earlier) return earlier;
  try {
    return await submit({
      before: async (tx) => {
        const answer = await storedAnswer(ctx, tx, asked);
        if (answer) throw new AnsweredAlready(answer);
      },
      after: async (tx, rows) => {
        await keepAnswer(tx, { ...asked, answer: JSON.stringify(rows), created_at: ctx.now().toISOString() });
      },
    });
  } catch (error) {
    if (error instanceof AnsweredAlready) return error.rows;
    throw error;
  }
}

type Submit = (within: WithinSubmission) => Promise<ClaimRow[]>;
type Asked = Record<'credential_hash' | 'idempotency_key' | 'request_hash', string>;

async function storedAnswer(
  ctx: Pick<Writing, 'now'>,
  db: Db | Tx,
  { credential_hash, idempotency_key, request_hash }: Asked,
): Promise<ClaimRow[] | null> {
  const [row] = await findAnswer(db, { credential_hash, idempotency_key, since: answersSince(ctx) });
  if (!row) return null;
  if (row.request_hash !== request_hash) throw new DomainError('request.idempotencyReused');
  // As it was given, by whatever version of the program.
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
    // One that counts no more and was not forgotten yet.
    .onConflict((old) =>
      old.columns(['credential_hash', 'idempotency_key']).doUpdateSet(({ ref }) => ({
        request_hash: ref('excluded.request_hash'),
        answer: ref('excluded.answer'),
        created_at: ref('excluded.created_at'),
      })),
    )
    .compile(),
);

const findAnswer = prepared((db, bound: Bound<Record<'credential_hash' | 'idempotency_key' | 'since', string>>) =>
  db
    .selectFrom('idempotent_answers')
    .select(['request_hash', 'answer'])
    .where('credential_hash', '=', bound('credential_hash'))
    .where('idempotency_key', '=', bound('idempotency_key'))
    .where('created_at', '>=', bound('since'))
    .compile(),
);

/** How long a second answer is the first one, in days. */
const KEPT_DAYS = 2;
/** Answers from before then are none any more, whether or not they were forgotten. */
export const answersSince = ({ now }: Pick<Writing, 'now'>): string => daysBefore(now(), KEPT_DAYS);

/** Forgets the answers to submissions that nobody sends again any more, and with each those of the same moment. */
export const forgetAnswers = deleteOld({
  kind: 'answer.forget',
  old: (db, now, most) =>
    db
      .selectFrom('idempotent_answers')
      .select('created_at')
      .where('created_at', '<', answersSince({ now: () => now }))
      .orderBy('created_at')
      .limit(most)
      .execute(),
  remove: (tx, old) =>
    tx
      .deleteFrom('idempotent_answers')
      .where(
        'created_at',
        'in',
        old.map(({ created_at }) => created_at),
      )
      .execute(),
});

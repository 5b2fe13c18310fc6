import type { ChangeRecorder } from '../db/change-set.ts';
import type { Tx } from '../db/open.ts';
import { addedJobs } from './added-jobs.ts';
import type { JobKind } from './kind.ts';
import { storeJob, storeJobs, storeMissingJob } from './stored.ts';

/** What a job may take, in characters: it names records, it does not hold them. */
export const PAYLOAD_MOST = 10_000;
export const KEY_MOST = 200;

export interface NewJob<P> {
  /** One job of a kind has it; adding another one moves the first, and gives it this payload. */
  key: string;
  /** Absolute; one in the past is due at once. */
  due_at: Date;
  payload: P;
  /** Whom it needs that other jobs need, too, where its kind has a share for each. */
  via?: string | null;
}

/**
 * Stores what is due later in the write that makes it due. A job of the same kind and key is moved, forgetting its
 * failures; one that is running outside just then runs once more, afterwards.
 * @throws Error where it is larger than a job may be
 */
export async function addJob<P>(
  tx: Tx,
  changes: ChangeRecorder,
  { kind }: Pick<JobKind<P>, 'kind'>,
  { key, due_at, payload, via }: NewJob<P>,
): Promise<void> {
  const row = rowOf(kind, key, due_at, JSON.stringify(payload), via);
  await storeJob(tx, row);
  changes.collect(addedJobs).push(row.due_at);
}

function rowOf(kind: string, key: string, due_at: Date, payload: string, via: string | null = null) {
  if (key.length > KEY_MOST || payload.length > PAYLOAD_MOST) throw new Error(`a job of ${kind} is too large to be stored`);
  return { kind, key, due_at: due_at.toISOString(), payload, via };
}

/** Stores several at once, each as `addJob` does; no two of one key. */
export async function addJobs<P>(
  tx: Tx,
  changes: ChangeRecorder,
  { kind }: Pick<JobKind<P>, 'kind'>,
  jobs: readonly NewJob<P>[],
): Promise<void> {
  const rows = jobs.map(({ key, due_at, payload, via }) => rowOf(kind, key, due_at, JSON.stringify(payload), via));
  if (rows.length > 0) await storeJobs(tx, rows);
  for (const { due_at } of rows) changes.collect(addedJobs).push(due_at);
}

/** Stores one that is not stored yet. One that is stays as it is, whoever runs it now or however late it is due. */
export async function addMissingJob<P>(
  tx: Tx,
  changes: ChangeRecorder,
  { kind }: Pick<JobKind<P>, 'kind'>,
  { key, due_at, payload, via }: NewJob<P>,
): Promise<void> {
  const row = rowOf(kind, key, due_at, JSON.stringify(payload), via);
  await storeMissingJob(tx, row);
  changes.collect(addedJobs).push(row.due_at);
}

/** Takes back what is no longer to be done; one that is running outside just then runs to its end. */
export async function removeJob(tx: Tx, { kind }: Pick<JobKind<unknown>, 'kind'>, key: string): Promise<void> {
  await tx.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).execute();
}

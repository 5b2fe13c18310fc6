import { quietUntil } from '../../../shared/rules/quiet-hours.ts';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { inBatches, type Tx } from '../../db/database.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import { addJobs, type NewJob, removeJob } from '../../jobs/job-store.ts';
import type { Medium, NoticeContext, Recipient } from './medium.ts';
import { mergeNotices, type Notice, notice, preferenceFor, subjectOf } from './notice.ts';
import { preferencesOf } from './preferences.ts';

/** Gather changes of a member's claims for this long, in milliseconds: a burst is one notification. */
const GATHER_MS = 3_000;

export interface NoticeFor {
  character_key: string;
  /** null: nothing for a member with these preferences */
  notice: (preferences: PushPreferences) => Notice | null;
}

/** Stores jobs that notify members by all media. Without recipients it costs a query for each medium. */
export async function scheduleNotices(
  unit: Unit<NoticeContext>,
  notices: readonly NoticeFor[],
): Promise<void> {
  const character_keys = [...new Set(notices.map(({ character_key }) => character_key))];
  for (const medium of unit.ctx.media) {
    const recipients = await medium.recipientsOf(unit.tx, character_keys);
    if (recipients.length > 0) await scheduleBy(medium, unit, { notices, recipients });
  }
}

async function scheduleBy(
  { job, choices }: Medium,
  unit: Unit<NoticeContext>,
  { notices, recipients }: { notices: readonly NoticeFor[]; recipients: readonly Recipient[] },
): Promise<void> {
  const { ctx, tx, at: now } = unit;
  const byCharacter = Map.groupBy(recipients, ({ character_key }) => character_key);
  const preferences = await preferencesOf(ctx.env, tx, [...byCharacter.keys()]);
  const jobs = notices.flatMap(({ character_key, notice }) => {
    const own = byCharacter.get(character_key) ?? [];
    const wanted = choices(preferences(character_key));
    const payload = own.length > 0 ? notice(wanted) : null;
    const at = payload && earliestTime(payload, wanted, now);
    if (!at) return [];
    const due_at = payload.kind === 'claim_changed' ? new Date(at.getTime() + GATHER_MS) : at;
    const subject = subjectOf(payload);
    return own.map(({ id, receiver }) => ({ key: `${id} ${subject}`, due_at, payload, receiver }));
  });
  for (const batch of inBatches(jobs)) {
    const { merged, undone } = await mergeWithPending(tx, job.kind, batch);
    await addJobs(unit, job, merged);
    for (const key of undone) await removeJob(tx, job, key);
  }
}

/** Quiet hours delay a notice, but drop an offer, since the hold ends. @returns null: don't send it */
export function earliestTime(notice: Notice, wanted: PushPreferences, now: Date): Date | null {
  if (!wanted[preferenceFor(notice.kind)]) return null;
  const quiet = quietUntil(now, wanted);
  if (quiet && notice.kind === 'hold_offered') return null;
  const at = quiet ?? now;
  return at.toISOString() < notice.until ? at : null;
}

interface NoticeJob extends NewJob<Notice> {
  isBeingSent?: boolean;
}

/** Merges changed claims into pending notices, without delaying these. @returns also the keys of notices that are undone */
async function mergeWithPending(
  tx: Tx,
  kind: string,
  jobs: readonly NoticeJob[],
): Promise<{ merged: NoticeJob[]; undone: string[] }> {
  const keys = [
    ...new Set(
      jobs.filter(({ payload }) => payload.kind === 'claim_changed').map(({ key }) => key),
    ),
  ];
  const latest = await findPending(tx, kind, keys);
  const before = new Set(latest.keys());
  for (const job of jobs) {
    const merged = mergeJobs(latest.get(job.key), job);
    if (merged) latest.set(job.key, merged);
    else latest.delete(job.key);
  }
  return { merged: [...latest.values()], undone: [...before].filter((key) => !latest.has(key)) };
}

async function findPending(
  tx: Tx,
  kind: string,
  keys: readonly string[],
): Promise<Map<string, NoticeJob>> {
  if (keys.length === 0) return new Map();
  const pending = await tx
    .selectFrom('jobs')
    .select(['key', 'due_at', 'payload', 'leased_until', 'receiver'])
    .where('kind', '=', kind)
    .where('key', 'in', keys)
    .where('given_up_at', 'is', null)
    .execute();
  return new Map(
    pending.flatMap(({ key, due_at, payload, leased_until, receiver }): [string, NoticeJob][] => {
      // A newer version's notice must not fail the admin's change.
      const known = notice.safeParse(JSON.parse(payload));
      return known.success
        ? [
            [
              key,
              {
                key,
                due_at: new Date(due_at),
                payload: known.data,
                receiver,
                isBeingSent: leased_until !== null,
              },
            ],
          ]
        : [];
    }),
  );
}

/** @returns null: everything was undone */
function mergeJobs(earlier: NoticeJob | undefined, later: NoticeJob): NoticeJob | null {
  if (earlier?.payload.kind !== 'claim_changed' || later.payload.kind !== 'claim_changed')
    return later;
  const payload = mergeNotices(earlier.payload, later.payload, earlier.isBeingSent);
  return (
    payload && {
      ...earlier,
      payload,
      due_at: new Date(Math.min(earlier.due_at.getTime(), later.due_at.getTime())),
    }
  );
}

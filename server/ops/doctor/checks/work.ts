import { notificationsPausedAt } from '../../../jobs/job-store.ts';
import { PAUSED_JOBS } from '../../../notifications/pause.ts';
import { check } from '../finding.ts';
import { whoServes } from './port.ts';

/** What is due for so long and was not done, in milliseconds, nobody does. */
const LATE_MS = 10 * 60_000;

/** What is done later by itself. */
export const jobs = check(
  'jobs',
  async (patient) => {
    const now = patient.now().getTime();
    const stored = await patient.read((tx) =>
      tx
        .selectFrom('jobs')
        .select(['kind', 'due_at', 'last_error', 'given_up_at', 'leased_until'])
        .where((job) => job.or([job('last_error', 'is not', null), job('due_at', '<', new Date(now - LATE_MS).toISOString())]))
        .orderBy('due_at')
        .limit(1_000)
        .execute(),
    );
    const failing = stored.filter(({ last_error, given_up_at }) => last_error !== null && given_up_at === null);
    // They wait for an owner to resume them, as the System page says.
    const isPaused = (await patient.read(notificationsPausedAt)) !== null;
    const waits = (kind: string): boolean => isPaused && PAUSED_JOBS.includes(kind);
    const late = stored.filter(
      ({ kind, last_error, given_up_at, leased_until, due_at }) =>
        !waits(kind) && last_error === null && given_up_at === null && leased_until === null && Date.parse(due_at) < now - LATE_MS,
    );
    const [oldest] = late;
    if (oldest && (await whoServes(patient)) === 'claimboard') {
      return {
        finding: 'late',
        params: { n: late.length, kind: oldest.kind, minutes: Math.round((now - Date.parse(oldest.due_at)) / 60_000) },
      };
    }
    const [first] = failing;
    if (first) return { finding: 'failing', params: { n: failing.length, kind: first.kind, error: first.last_error ?? '' } };
    const given = stored.filter(({ given_up_at }) => given_up_at !== null);
    const [last] = given;
    return last ? { finding: 'givenUp', params: { n: given.length, kind: last.kind, error: last.last_error ?? '' } } : { finding: 'ok' };
  },
  { reads: true },
);

/** Holds, waits and claims that end by themselves. A server says itself which of them it cannot end. */
export const due = check(
  'due',
  async (patient) => {
    const stored = await patient.read((tx) => tx.selectFrom('clock').select('next_due').executeTakeFirst());
    const at = stored?.next_due ? Date.parse(stored.next_due) : Number.POSITIVE_INFINITY;
    const ago = patient.now().getTime() - at;
    if (ago < LATE_MS || (await whoServes(patient)) !== 'claimboard') return { finding: 'ok' };
    return { finding: 'late', params: { minutes: Math.round(ago / 60_000) } };
  },
  { reads: true },
);

export const destinations = check(
  'destinations',
  async (patient) => {
    const all = await patient.read((tx) =>
      tx.selectFrom('destinations').select(['name', 'is_enabled', 'switched_off', 'last_error', 'waiting']).orderBy('id').execute(),
    );
    if (all.length === 0) return { finding: 'none' };
    const off = all.filter(({ switched_off }) => switched_off !== null);
    const [first] = off;
    if (first) return { finding: 'off', params: { n: off.length, name: first.name } };
    const failing = all.filter(({ is_enabled, last_error, waiting }) => is_enabled === 1 && last_error !== null && waiting > 0);
    const [one] = failing;
    if (one) return { finding: 'failing', params: { n: failing.length, name: one.name, error: one.last_error ?? '' } };
    return { finding: 'ok', params: { n: all.length } };
  },
  { reads: true },
);

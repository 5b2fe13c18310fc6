import { describe, expect, it } from 'vitest';
import { faultsOf } from './queries.mjs';

describe('the check of queries', () => {
  const FILE = 'server/board/standing/make-job.ts';

  it.each([
    "tx.deleteFrom('standing_occurrences').where('date', '<', old).execute();",
    "await tx\n  .deleteFrom('invitations')\n  .where((of) => of.or([of('name', '=', name), of('expires_at', '<=', now)]))\n  .execute();",
    "tx.deleteFrom('push_reminders').where('push_reminders.hour_at', '<', daysBefore(now(), 2)).execute()",
  ])('refuses a deletion by age: %s', (text) => {
    expect(faultsOf(FILE, text)).toEqual([expect.stringContaining('by age without the guard')]);
  });

  it.each([
    "tx.deleteFrom('outbox').where('id', '<', oldest.id).execute();",
    "tx.deleteFrom('stars').where('id', 'in', ids).execute();\nconst due = db.selectFrom('jobs').where('due_at', '<=', now);",
  ])('accepts %s', (text) => expect(faultsOf(FILE, text)).toEqual([]));

  it('refuses readers of the activity log outside its folder', () => {
    const text = "db.selectFrom('activity').select('id')";
    expect(faultsOf(FILE, text)).toEqual([expect.stringContaining('reads the activity log')]);
    expect(faultsOf('server/activity/log.ts', text)).toEqual([]);
    expect(faultsOf(FILE, "db.selectFrom('activity_rows')")).toEqual([]);
  });
});

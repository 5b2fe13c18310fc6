import { expect } from 'vitest';
import type { Delivery, Destination } from '../../../../shared/schemas/destination.ts';
import { admin } from '../../../activity/test/write.ts';
import type { TestApp } from '../../../dev/test/test-app.ts';
import { listChannels } from '../channel.ts';

/** Allows sending to this machine. */
export const AT_HOME = { ALLOW_PRIVATE_DESTINATIONS: '1' } as const;

export async function shownChannel(
  { ctx }: TestApp,
  { id }: Pick<Destination, 'id'>,
): Promise<Destination> {
  const record = (await listChannels(ctx.db)).find((each) => each.id === id);
  if (!record) throw new Error('there is no such destination');
  return record;
}

export const deliveriesOf = async (
  { api, admin }: TestApp,
  { id }: Pick<Destination, 'id'>,
): Promise<Delivery[]> =>
  (await api.get(`/admin/destinations/${id}/deliveries`).set(admin).expect(200)).body.data;

/** Closes or opens submission, which is an event for subscribed channels. */
export const switchSubmission = (app: TestApp, submission_enabled: 0 | 1) =>
  admin(app, 'put /admin/config', { submission_enabled }).expect(200);

/** Runs the jobs due by a later time, and waits until none runs any more. */
export async function at(app: TestApp, iso: string): Promise<void> {
  app.setNow(iso);
  await runAll(app);
}

/** Runs due jobs until none are left; the server then continues with the rest. */
export async function runAll(app: TestApp): Promise<void> {
  await app.runDue();
  await expect.poll(() => underWay(app), { timeout: 60_000 }).toBe(0);
}

/** How many are sent something, or are to be. */
async function underWay({ ctx }: TestApp): Promise<number> {
  const jobs = await ctx.db
    .selectFrom('jobs')
    .select(['due_at', 'leased_until'])
    .where('kind', '=', 'destination.send')
    .execute();
  return jobs.filter(
    ({ due_at, leased_until }) => leased_until !== null || due_at <= ctx.now().toISOString(),
  ).length;
}

/** The time of a test so much later. */
export const later = (iso: string, seconds: number): string =>
  new Date(Date.parse(iso) + seconds * 1_000).toISOString();

import { describe, expect, it } from 'vitest';
import {
  aClaim,
  aDestination,
  aKey,
  aSpot,
  aWait,
  changeUnheard,
  submitted,
} from '../../dev/test/builders.ts';
import { filledDatabase } from '../../dev/test/databases.ts';
import { createMachine } from '../../dev/test/machine.ts';
import { answering, startReceiver } from '../../dev/test/receiver.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import {
  AT_HOME,
  shownChannel,
  switchSubmission,
} from '../../notifications/channels/test/sending.ts';
import type { Post } from '../../notifications/outbound/post.ts';

const DAY_MS = 86_400_000;

/** Two servers on one PostgreSQL. The wall clock of the second one's machine is so far ahead of the database's. */
async function twoServers(ahead_ms: number, post?: Post) {
  const database = await filledDatabase('postgres');
  const machines = [createMachine(NOW), createMachine(NOW, { wallAhead_ms: ahead_ms })] as const;
  const [one, other] = await Promise.all(
    machines.map((machine, nth) =>
      createTestApp('postgres', {
        on: database,
        env: AT_HOME,
        machine,
        readDatabaseTime: async () => machine.rightTime(),
        ...(nth === 1 && post ? { context: { post } } : {}),
      }),
    ),
  );
  if (!one || !other) throw new Error('two servers');
  return {
    one,
    other,
    /** Seconds go by on both. */
    pass: (seconds: number): void => {
      for (const machine of machines) machine.pass(seconds * 1_000);
    },
  };
}

const look = (apps: readonly TestApp[]) => Promise.all(apps.map((app) => app.runDue()));
const jobOf = ({ ctx }: TestApp) =>
  ctx.db.selectFrom('jobs').selectAll().where('kind', '=', 'destination.send').executeTakeFirst();

describe.each([DAY_MS, -DAY_MS])(
  'two servers on one PostgreSQL whose wall clocks differ by %i ms',
  (ahead_ms) => {
    it('send a message once, however long its receiver takes', async () => {
      const { one, other, pass } = await twoServers(ahead_ms);
      const held: (() => void)[] = [];
      const receiver = await startReceiver(
        (response) => void held.push(() => void response.writeHead(204).end()),
      );
      try {
        await aDestination(one, { url: receiver.url, events: ['submission.closed'] });
        await switchSubmission(one, 0);
        pass(1);
        for (let looks = 0; looks < 14; looks += 1) {
          await look([other, one]);
          await expect.poll(() => receiver.received.length).toBe(1);
          pass(2);
        }
        for (const release of held) release();
        await expect.poll(() => jobOf(one)).toBeUndefined();
        await look([other, one]);
        expect(receiver.received).toHaveLength(1);
      } finally {
        await receiver.close();
      }
    });

    it('one that cannot send holds nothing up: the other one sends at the next try', async () => {
      const unable: Post = async () => ({ ok: false, error: 'unreachable' });
      const { one, other, pass } = await twoServers(ahead_ms, unable);
      const receiver = await startReceiver(answering(204));
      try {
        const destination = await aDestination(one, {
          url: receiver.url,
          events: ['submission.closed'],
        });
        await switchSubmission(one, 0);
        pass(1);
        await other.runDue();
        await expect
          .poll(async () => (await shownChannel(one, destination)).next_try_at)
          .not.toBeNull();
        expect(receiver.received).toHaveLength(0);
        // The runner of the server that cannot send may be faster, and fail once more.
        const nextTry = async (): Promise<number> => {
          pass(10);
          await one.runDue();
          return receiver.received.length;
        };
        await expect.poll(nextTry).toBe(1);
        await expect.poll(() => jobOf(one)).toBeUndefined();
      } finally {
        await receiver.close();
      }
    });

    it("lose no member's claim, hold or waitlist entry", async () => {
      const { one, other, pass } = await twoServers(ahead_ms);
      await one.api
        .put('/admin/config')
        .set(one.admin)
        .send({ confirm_enabled: 1, grace_minutes: 10 })
        .expect(200);
      for (let nth = 0; nth < 15; nth += 1) {
        const key = await aKey(one);
        await submitted(one, key, aClaim(key, { respawn_id: 10 + aSpot() }));
      }
      const holder = await aKey(one);
      const first = await aKey(one);
      const second = await aKey(one);
      const [claim] = await submitted(one, holder, aClaim(holder));
      for (const key of [first, second]) await aWait(one, key);
      await one.api.delete(`/admin/claims/${claim?.id}`).set(one.admin).expect(200);
      const state = async () => [
        await one.ctx.db.selectFrom('claims').select(['id', 'held_until']).orderBy('id').execute(),
        await one.ctx.db
          .selectFrom('waits')
          .select(['status', 'held_until'])
          .orderBy('id')
          .execute(),
        await one.ctx.db.selectFrom('clock').select('board_date').execute(),
      ];
      const before = await state();
      for (let minutes = 0; minutes < 5; minutes += 1) {
        pass(60);
        for (const app of [other, one]) {
          await app.beat();
          await app.runDue();
          await aKey(app);
        }
      }
      expect(await state()).toEqual(before);
    });
  },
);

it('a lease that a former version stored with a wild time blocks no job', async () => {
  const { one, pass } = await twoServers(0);
  const receiver = await startReceiver(answering(204));
  try {
    await aDestination(one, { url: receiver.url, events: ['submission.closed'] });
    await switchSubmission(one, 0);
    await changeUnheard(one, (tx) =>
      tx
        .updateTable('jobs')
        .set({ leased_until: '2027-11-21T18:00:00.000Z' })
        .where('kind', '=', 'destination.send')
        .execute(),
    );
    pass(1);
    await one.runDue();
    await expect.poll(() => receiver.received.length).toBe(1);
  } finally {
    await receiver.close();
  }
});

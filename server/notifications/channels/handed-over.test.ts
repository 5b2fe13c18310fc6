import { describe, expect, it, onTestFinished } from 'vitest';
import { aClaim, aDestination, submitAsAdmin } from '../../dev/test/builders.ts';
import { databases, filledDatabase } from '../../dev/test/databases.ts';
import { type Answering, answering, aReceiver } from '../../dev/test/receiver.ts';
import { createTestApp, NOW, type TestApp } from '../../dev/test/test-app.ts';
import { jobKindsOf } from '../../feature.ts';
import { features } from '../../features.ts';
import { LEASE_S } from '../../jobs/run-job.ts';
import { createJobs, type Jobs } from '../../jobs/runner.ts';
import { AT_HOME, deliveriesOf, later, shownChannel } from './test/sending.ts';

const NEVER_MS = 1_000_000_000;
/** A busy machine takes its time. */
const PATIENT = { timeout: 30_000 };
const MESSAGES = 30;
/** Which of them the receiver has in hand when its sender goes. */
const IN_HAND = 10;

/** Holds one message back, at its first attempt, until released. */
function inHand() {
  const taken = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  let arrived = 0;
  const answer: Answering = (...args) => {
    arrived += 1;
    if (arrived !== IN_HAND) return answering(204)(...args);
    taken.resolve();
    return void letGo.promise.then(() => answering(204)(...args));
  };
  onTestFinished(() => letGo.resolve());
  return { answer, taken: taken.promise, letGo: letGo.resolve };
}

async function aServer(app: TestApp): Promise<Jobs> {
  const jobs = createJobs(app.ctx, jobKindsOf(features), { everyMs: NEVER_MS });
  onTestFinished(jobs.stop);
  await jobs.runDue();
  return jobs;
}

async function waiting(app: TestApp, url: string) {
  const made = await aDestination(app, { url, events: ['claim.created'] });
  const claims = Array.from({ length: MESSAGES }, (_, n) =>
    aClaim({ character_name: `Hunter ${n}` }, { respawn_id: n + 1 }),
  );
  await submitAsAdmin(app, 'member', ...claims).expect(201);
  app.setNow(later(NOW, 1));
  return made;
}

/** Which messages arrived, by their place among all, from 1. */
const arrivedAt = ({ received }: Awaited<ReturnType<typeof aReceiver>>): number[] => {
  const numbers = received.map(({ headers }) =>
    Number(String(headers['webhook-id']).split('_')[1]),
  );
  return numbers.map((number) => number - Math.min(...numbers) + 1);
};
const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

describe.each(databases)('a server on %s that sends', (dialect) => {
  it('and stops ends the message on its way and notes all that arrived; the next one sends the others, and none again', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const { answer, taken, letGo } = inHand();
    const receiver = await aReceiver(answer);
    const made = await waiting(app, receiver.url);
    const jobs = await aServer(app);
    await taken;
    const stopped = jobs.stop();
    letGo();
    await stopped;
    expect(arrivedAt(receiver)).toEqual(upTo(1, IN_HAND));
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: MESSAGES - IN_HAND,
      last_error: null,
    });
    await aServer(app);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(MESSAGES);
    expect(arrivedAt(receiver)).toEqual(upTo(1, MESSAGES));
  });

  it('and stops while its receiver hangs leaves that message to the next one, as if it had not been tried', async () => {
    const app = await createTestApp(dialect, { env: AT_HOME });
    const { answer, taken } = inHand();
    const receiver = await aReceiver(answer);
    const made = await waiting(app, receiver.url);
    const jobs = await aServer(app);
    await taken;
    await jobs.stop();
    expect(await shownChannel(app, made)).toMatchObject({
      waiting: MESSAGES - IN_HAND + 1,
      last_error: null,
      next_try_at: null,
    });
    expect((await deliveriesOf(app, made)).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: IN_HAND - 1 }, () => 'delivered'),
    );
    await aServer(app);
    await expect.poll(() => receiver.received.length, PATIENT).toBe(MESSAGES + 1);
    expect(arrivedAt(receiver)).toEqual([...upTo(1, IN_HAND), ...upTo(IN_HAND, MESSAGES)]);
  });

  it('and is frozen has half a minute; when it wakes another one has taken over, and it sends nothing more', async () => {
    const on = await filledDatabase(dialect);
    onTestFinished(on.drop);
    const app = await createTestApp(dialect, { on, env: AT_HOME });
    const other = dialect === 'postgres' ? await createTestApp(dialect, { on, env: AT_HOME }) : app;
    const { answer, taken, letGo } = inHand();
    const receiver = await aReceiver(answer);
    await waiting(app, receiver.url);
    const frozen = await aServer(app);
    await taken;
    other.setNow(later(NOW, LEASE_S));
    await aServer(other);
    expect(receiver.received).toHaveLength(IN_HAND);
    other.setNow(later(NOW, 1 + LEASE_S));
    await aServer(other);
    const all = [...upTo(1, IN_HAND), ...upTo(1, MESSAGES)];
    await expect.poll(() => arrivedAt(receiver), PATIENT).toEqual(all);
    letGo();
    await frozen.stop();
    expect(arrivedAt(receiver)).toEqual(all);
  });
});

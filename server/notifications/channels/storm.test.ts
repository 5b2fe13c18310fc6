import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { discordMessage } from '../../../shared/discord/message.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import type { ClaimInput } from '../../../shared/schemas/claim.ts';
import { PUBLIC_EVENT_TYPES, publicEvent } from '../../../shared/schemas/domain-events.ts';
import { beginClaimWrite } from '../../board/claims/claims-changed.ts';
import { deleteClaims } from '../../board/claims/end-claims.ts';
import { serverSaveClock } from '../../db/clock/server-save-clock.ts';
import { aDestination, change, submitAsAdmin } from '../../dev/test/builders.ts';
import { manyClaims } from '../../dev/test/many-claims.ts';
import {
  type Answering,
  answering,
  aReceiver,
  type Receiver,
  resetting,
} from '../../dev/test/receiver.ts';
import { sized } from '../../dev/test/scope.ts';
import { createTestApp, type TestApp, TODAY } from '../../dev/test/test-app.ts';
import { sentencesIn } from '../../http/errors.ts';
import { createPost } from '../outbound/post.ts';

/** Together 1,200 changes, in long tests 10,000; retries come due within a hanging receiver's timeout. */
const SUBMISSIONS = 40;
const CLAIMS_IN_ONE = 10;
const DELETED_SPOTS = 4;
const CLAIMS_ON_ONE = sized(200, 2_400);
const CHANGES = SUBMISSIONS * CLAIMS_IN_ONE + DELETED_SPOTS * CLAIMS_ON_ONE;
const PATIENT = { timeout: 240_000, interval: 20 };

const TAKEN = answering(204);
const wrong: { [what: string]: Answering } = {
  'asks to wait': answering(429, { 'retry-after': '1' }),
  fails: answering(500, {}, 'Oh no'),
  'breaks off': resetting,
};

/** Handles some of the messages differently, and returns which. */
function sometimes(
  what: Answering,
  isWrong: (n: number) => boolean,
): { answer: Answering; refused: boolean[] } {
  const refused: boolean[] = [];
  const answer: Answering = (response, message, socket) => {
    const n = refused.length;
    refused.push(isWrong(n));
    (isWrong(n) ? what : TAKEN)(response, message, socket);
  };
  return { answer, refused };
}

/** A receiver that does not respond until released. */
function hangingUntilLetGo(): { answer: Answering; letGo: () => void } {
  let hangs = true;
  let held: (() => void)[] = [];
  const answer: Answering = (response, message, socket) => {
    const take = (): void => TAKEN(response, message, socket);
    if (hangs) held.push(take);
    else take();
  };
  const letGo = (): void => {
    hangs = false;
    for (const take of held) take();
    held = [];
  };
  return { answer, letGo };
}

const jobs = ({ ctx }: TestApp) =>
  ctx.db
    .selectFrom('jobs')
    .select(['key', 'due_at', 'leased_until'])
    .where('kind', '=', 'destination.send')
    .execute();

/** Time passes while none of these destinations is being sent anything, until nothing waits for them. */
async function allSent(app: TestApp, but: readonly number[] = []): Promise<void> {
  const isDone = async (): Promise<boolean> => {
    const theirs = (await jobs(app)).filter(({ key }) => !but.includes(Number(key)));
    const now = app.ctx.now().toISOString();
    const due = theirs.map(({ due_at }) => due_at).sort()[0];
    if (due !== undefined && theirs.every(({ leased_until }) => leased_until === null)) {
      if (due > now) app.setNow(due);
      await app.runDue();
    }
    return theirs.length === 0;
  };
  await vi.waitUntil(isDone, PATIENT);
}

/** Claims with characters and hours of their own. */
async function submissions(app: TestApp): Promise<void> {
  for (let n = 0; n < SUBMISSIONS; n += 1) {
    const claims = Array.from({ length: CLAIMS_IN_ONE }, (_, at): Partial<ClaimInput> => {
      const hours = { hour_start: 2 * at, hour_end: 2 * at + 2 };
      return {
        respawn_id: 10 + n,
        character_name: `Hunter *${n}* ${at}`,
        date: addDays(TODAY, 1),
        ...hours,
      };
    });
    await submitAsAdmin(app, 'member', ...claims).expect(201);
  }
}

/** Claims that end one by one: bulk work would be a single message. */
async function deletions(app: TestApp): Promise<void> {
  await manyClaims(app, { count: DELETED_SPOTS * CLAIMS_ON_ONE, spots: DELETED_SPOTS });
  for (let spot = 1; spot <= DELETED_SPOTS; spot += 1) {
    await change(app, async (unit) => {
      const { count } = await deleteClaims(
        await beginClaimWrite(unit, { role: 'server' }),
        { type: 'respawn', respawn_id: spot },
        { cause: 'released' },
      );
      expect(count).toBe(CLAIMS_ON_ONE);
      unit.changes.reset();
    });
  }
}

const idsIn = ({ received }: Receiver): string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));
const embeds = z.object({ embeds: z.array(z.object({ description: z.string() })) });
const toldIn = (body: string): string[] =>
  embeds.parse(JSON.parse(body)).embeds.map(({ description }) => description);

/** A channel's events, each once; a refused message is sent again before later ones. */
function toldInOrder({ received }: Receiver, refused: readonly boolean[]): string[] {
  const failed: string[] = [];
  let again: string | undefined;
  for (const [n, { body }] of received.entries()) {
    const some = toldIn(body);
    if (again !== undefined) expect(some[0]).toBe(again);
    again = refused[n] ? some[0] : undefined;
    if (!refused[n]) failed.push(...some);
  }
  return failed;
}

describe('a storm of changes', () => {
  it('reach every receiver at least once, in order and with stable ids; one that hangs, fails or is gone delays no other', {
    timeout: PATIENT.timeout,
  }, async () => {
    const env = { ALLOW_PRIVATE_DESTINATIONS: '1' } as const;
    // One that hangs does so to the end, however slow the machine is.
    const post = createPost(env, { within_ms: PATIENT.timeout });
    const app = await createTestApp('sqlite', { env, context: { post } });
    const events = [...PUBLIC_EVENT_TYPES];
    const made = async (kind: 'webhook' | 'discord', answer: Answering, types = events) => {
      const receiver = await aReceiver(answer);
      return {
        receiver,
        destination: await aDestination(app, { kind, url: receiver.url, events: types }),
      };
    };
    const steady = await made('webhook', TAKEN);
    const rough = Object.entries(wrong).map(([what, failure], at) => ({
      what,
      ...sometimes(failure, (n) => n === 0 || n % 200 === 10 * (at + 1)),
    }));
    const channels = await Promise.all(
      rough.map(async (each) => ({ ...each, ...(await made('discord', each.answer)) })),
    );
    const failures = Object.values(wrong);
    let turn = 0;
    const all = sometimes(
      (...args) => failures[turn++ % failures.length]?.(...args),
      (n) => n % 100 === 99,
    );
    const few = await made('webhook', all.answer, ['claim.created']);
    const { answer: hangs, letGo } = hangingUntilLetGo();
    onTestFinished(letGo);
    const hanging = await made('discord', hangs);
    const gone = await made('webhook', answering(410));

    await submissions(app);
    await deletions(app);
    await allSent(app, [hanging.destination.id]);

    // All others have it all, and it has had no answer yet.
    expect(hanging.receiver.received).toHaveLength(1);
    const verifier = new Webhook(String(steady.destination.secret));
    expect(new Set(idsIn(steady.receiver)).size).toBe(CHANGES);
    expect(steady.receiver.received).toHaveLength(CHANGES);
    const failed = steady.receiver.received.map(({ body }) => publicEvent.parse(JSON.parse(body)));
    const numbers = idsIn(steady.receiver).map((id) => Number(/^msg_(\d+)_\d+$/.exec(id)?.[1]));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    for (const { headers, body } of steady.receiver.received.slice(0, 100)) {
      // Its time is the test's own, which the verifier takes for an old one.
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
      expect(verifier.sign(String(id), new Date(Number(at) * 1000), body)).toBe(signature);
    }

    const say = sentencesIn('en');
    const clock = serverSaveClock(app.ctx);
    const sentences = failed.map(
      (one) =>
        discordMessage([one], { say: (key, params = {}) => say(key, params), clock }).embeds[0]
          ?.description,
    );
    expect(new Set(sentences).size).toBe(CHANGES);
    for (const { what, receiver, refused } of channels) {
      expect({ what, refused: refused.some(Boolean) }).toEqual({ what, refused: true });
      expect(toldInOrder(receiver, refused)).toEqual(sentences);
    }

    // Each message under one id, however often it came, and none before the one before it has been taken.
    const arrived = few.receiver.received.map(({ headers, body }, n) => ({
      id: String(headers['webhook-id']),
      body,
      refused: all.refused[n],
    }));
    for (const [n, { id, refused }] of arrived.entries())
      if (refused) expect(arrived[n + 1]?.id).toBe(id);
    const taken = arrived.filter(({ refused }) => !refused);
    expect(taken.map(({ body }) => body)).toEqual(
      steady.receiver.received.slice(0, SUBMISSIONS * CLAIMS_IN_ONE).map(({ body }) => body),
    );
    expect(new Set(taken.map(({ id }) => id)).size).toBe(taken.length);
    expect(new Set(arrived.map(({ id, body }) => `${id} ${body}`)).size).toBe(taken.length);

    expect(gone.receiver.received).toHaveLength(1);
    const listed = await app.api.get('/admin/destinations').set(app.admin).expect(200);
    expect(
      listed.body.data.find(({ id }: { id: number }) => id === gone.destination.id),
    ).toMatchObject({
      is_enabled: 0,
      switched_off: 'gone',
    });

    letGo();
    await allSent(app);
    expect(toldInOrder(hanging.receiver, [])).toEqual(sentences);
  });
});

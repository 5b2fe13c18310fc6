import { once } from 'node:events';
import { BUILD_HEADER, buildOf } from '../../../../shared/build.ts';
import type { SyncAnswer } from '../../../../shared/live.ts';
import { createDoctorPass } from '../../../auth/doctor-pass.ts';
import { createAddressHash } from '../../../http/client-address.ts';
import { type CheckContext, check, type ResultOf } from '../check.ts';
import { connectionFailure, openRequest, type PublicAnswer, requestPublic } from '../probe.ts';

/** An older server time means that something in between has cached the answer. In milliseconds. */
const FRESH_MS = 120_000;

type Answered = Extract<PublicAnswer, { status: number }>;

const isRedirect = (status: number): boolean => status >= 300 && status < 400;

export const address = check('address', async (ctx): Promise<ResultOf<'address'>> => {
  const url = ctx.env.PUBLIC_URL;
  if (!url) return { finding: 'unset' };
  const answer = await ctx.publicConfig(url);
  if ('failure' in answer)
    return {
      finding: answer.failure,
      params: { url, host: new URL(url).host, reason: answer.reason },
    };
  return judgeConfig(answer, url, ctx);
});

function judgeConfig(answer: Answered, url: string, ctx: CheckContext): ResultOf<'address'> {
  const { status, headers, body } = answer;
  const params = { url, status };
  const config = parseObject(body);
  if (isRedirect(status))
    return { finding: 'redirect', params: { url, to: headers.location ?? '' } };
  if (config?.code === 'request.otherHost') return { finding: 'otherHost', params };
  if (status !== 200) return { finding: 'status', params };
  const time =
    typeof config?.server_time === 'string' ? Date.parse(config.server_time) : Number.NaN;
  if (Number.isNaN(time)) return { finding: 'stranger', params };
  if (Number(headers.age ?? 0) > 0 || ctx.now().getTime() - time > FRESH_MS)
    return { finding: 'kept', params };
  const theirs = headers[BUILD_HEADER.toLowerCase()] ?? '';
  const ours = ctx.build() ?? '';
  if (theirs !== ours) return { finding: 'otherBuild', params: { url, theirs, ours } };
  return { finding: 'ok', params: { url, ms: answer.answered_at - answer.asked_at } };
}

function parseObject(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return value !== null && typeof value === 'object' ? { ...value } : null;
  } catch {
    return null;
  }
}

export const page = check('page', async (ctx) => {
  const url = ctx.env.PUBLIC_URL;
  if (!url) return { finding: 'unset' };
  const answer = await requestPublic(url, '/', ctx.timeout_ms);
  if ('failure' in answer)
    return { finding: 'status', params: { url, status: answer.reason || answer.failure } };
  if (answer.status !== 200) return { finding: 'status', params: { url, status: answer.status } };
  const theirs = buildOf(answer.body);
  const ours = ctx.build();
  if (theirs === null) return { finding: 'stranger', params: { url } };
  if (theirs !== ours) return { finding: 'otherBuild', params: { url, theirs, ours: ours ?? '' } };
  return { finding: 'ok', params: { url } };
});

export const live = check(
  'live',
  async (ctx) => {
    const url = ctx.env.PUBLIC_URL;
    if (!url) return { finding: 'unset' };
    const { params = {}, ...found } = await goLive(url, ctx);
    return { ...found, params: { url, ...params } };
  },
  { within_s: 40 },
);

const LIVE_PATH = '/socket.io/?EIO=4&transport=websocket';

interface Expected {
  pass: string;
  clock: number;
}

/** Connects as a page does: upgrades, shows a pass, and catches up from the stored clock. */
async function goLive(url: string, ctx: CheckContext): Promise<ResultOf<'live'>> {
  const refused = await upgrade(url, ctx);
  if (refused) return refused;
  // null without a readable database: then nothing proves who connects.
  const expected = await readExpected(ctx).catch(() => null);
  const startedAt = Date.now();
  const outcome = await sync(url, expected, ctx);
  if (!('synced' in outcome)) return outcome;
  if (expected && outcome.synced !== null) {
    // A public board lets us in although it is not ours, but its clock differs.
    if ((outcome.synced.clock ?? -1) < expected.clock || !outcome.synced.change_sets)
      return { finding: 'otherBoard' };
    const theirs = outcome.synced.build ?? '';
    const ours = ctx.build() ?? '';
    if (theirs !== ours) return { finding: 'otherBuild', params: { theirs, ours } };
  }
  return { finding: 'ok', params: { ms: Date.now() - startedAt } };
}

const readExpected = (ctx: CheckContext): Promise<Expected> =>
  ctx.read(async (tx) => {
    const { value } = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
    return { pass: await createDoctorPass(createAddressHash(tx), ctx.now()), clock: value };
  });

/** Only upgrades, to see what a proxy answers instead. @returns null: upgraded */
async function upgrade(
  url: string,
  { timeout_ms }: CheckContext,
): Promise<ResultOf<'live'> | null> {
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': Buffer.from('claimboard-doctor').subarray(0, 16).toString('base64'),
  };
  const request = openRequest(url, LIVE_PATH, headers);
  request.end();
  const outcome = Promise.race([
    once(request, 'upgrade').then(([, socket]) => {
      socket.destroy();
      return null;
    }),
    once(request, 'response').then(
      ([{ statusCode }]): ResultOf<'live'> => ({
        finding: 'noUpgrade',
        params: { status: Number(statusCode) },
      }),
    ),
  ]).catch(
    (error: unknown): ResultOf<'live'> => ({
      finding: 'cut',
      params: { reason: connectionFailure(error).reason },
    }),
  );
  const result = await orSilent(timeout_ms, outcome);
  request.destroy();
  return result;
}

async function orSilent<T>(ms: number, outcome: Promise<T>): Promise<T | ResultOf<'live'>> {
  const { promise, resolve } = Promise.withResolvers<ResultOf<'live'>>();
  const timer = setTimeout(resolve, ms, { finding: 'silent' });
  try {
    return await Promise.race([outcome, promise]);
  } finally {
    clearTimeout(timer);
  }
}

type Synced = Partial<Pick<SyncAnswer, 'clock' | 'build'> & { change_sets: unknown }>;

/** In Socket.IO's packets: open (`0`), connect (`40`) or its refusal (`44`), an event with an answer (`420`), the answer (`430`). */
async function sync(
  url: string,
  expected: Expected | null,
  { timeout_ms }: CheckContext,
): Promise<ResultOf<'live'> | { synced: Synced | null }> {
  const socket = new WebSocket(new URL(LIVE_PATH, url.replace(/^http/, 'ws')));
  const outcome = new Promise<ResultOf<'live'> | { synced: Synced | null }>((resolve) => {
    socket.onmessage = ({ data }) => {
      const text = String(data);
      if (text === '2') socket.send('3');
      else if (text.startsWith('0'))
        socket.send(`40${JSON.stringify(expected ? { doctor: expected.pass } : {})}`);
      else if (text.startsWith('40'))
        socket.send(`420${JSON.stringify(['sync', expected?.clock ?? 0])}`);
      else if (text.startsWith('44')) resolve(judgeRefusal(text.slice(2), expected));
      else if (text.startsWith('430')) resolve({ synced: parseSynced(text.slice(3)) });
    };
    socket.onerror = () => resolve({ finding: 'cut', params: { reason: '' } });
    socket.onclose = () => resolve({ finding: 'cut', params: { reason: '' } });
  });
  const result = await orSilent(timeout_ms, outcome);
  socket.close();
  return result;
}

function judgeRefusal(
  text: string,
  expected: Expected | null,
): ResultOf<'live'> | { synced: null } {
  const refusal: { data?: { code?: string; error?: string }; message?: string } = JSON.parse(text);
  // Without a pass a refusal is right, and it shows that the connection works both ways.
  if (expected === null && refusal.data?.code === 'session.required') return { synced: null };
  if (refusal.data?.code === 'session.required') return { finding: 'otherBoard' };
  return { finding: 'refused', params: { reason: refusal.data?.error ?? refusal.message ?? '' } };
}

function parseSynced(text: string): Synced {
  const [answer]: [Synced | null] = JSON.parse(text);
  return answer ?? {};
}

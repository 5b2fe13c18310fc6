import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { notificationsPausedAt } from '../../../jobs/job-store.ts';
import { type CheckContext, check } from '../check.ts';
import { requestPublic } from '../probe.ts';

/** They are valid, or the doctor would not run. */
export const settings = check('settings', async ({ env: { PUBLIC_URL, TRUST_PROXY } }) =>
  // Https means that there is a proxy: untrusted, all clients seem to have its address.
  PUBLIC_URL?.startsWith('https:') && TRUST_PROXY === '0'
    ? { finding: 'proxyNotTrusted', params: { url: PUBLIC_URL } }
    : { finding: 'ok' },
);

const PACKAGE = path.resolve(import.meta.dirname, '../../../../package.json');
const NODE_VERSION = /"node-(?:bin-)?\w+-\w+": "([\d.]+)"/;

export const node = check('node', async () => {
  const version = process.versions.node;
  const wanted = NODE_VERSION.exec(await readFile(PACKAGE, 'utf8'))?.[1] ?? version;
  return version === wanted
    ? { finding: 'ok', params: { version } }
    : { finding: 'other', params: { version, wanted } };
});

export const build = check('build', async (ctx) => {
  const name = ctx.build();
  return name === null ? { finding: 'none' } : { finding: 'ok', params: { build: name } };
});

const UP = '{"status":"up"}';
/** Addresses at which a server that listens on all addresses can be reached. */
const LOCAL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
/** Ports below this need a privilege. */
const FIRST_UNPRIVILEGED = 1_024;

const hostOf = (host: string): string => LOCAL[host] ?? (host.includes(':') ? `[${host}]` : host);

/** Identifies the program that answers at the server's port. */
async function serverAtPort({
  env: { HOST, PORT },
}: Pick<CheckContext, 'env'>): Promise<'claimboard' | 'other' | 'nobody'> {
  if (PORT === 0) return 'nobody';
  const answer = await requestPublic(`http://${hostOf(HOST)}:${PORT}`, '/healthz');
  if ('status' in answer) return answer.body === UP ? 'claimboard' : 'other';
  return answer.failure === 'silent' ? 'other' : 'nobody';
}

export const port = check('port', async (ctx) => {
  const { PORT, HOST } = ctx.env;
  const params = { port: PORT };
  const server = await serverAtPort(ctx);
  if (server !== 'nobody') return { finding: server === 'claimboard' ? 'ok' : 'taken', params };
  return {
    finding:
      PORT > 0 && PORT < FIRST_UNPRIVILEGED && !(await mayListen(PORT, HOST))
        ? 'notAllowed'
        : 'free',
    params,
  };
});

async function mayListen(port: number, host: string): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen({ port, host, exclusive: true }, () => resolve(true));
  const may = await promise;
  server.close();
  return may;
}

/** Work that is overdue by this much is not being done, in milliseconds. */
const OVERDUE_MS = 10 * 60_000;

export const jobs = check(
  'jobs',
  async (ctx) => {
    const now = ctx.now().getTime();
    const stored = await ctx.read((tx) =>
      tx
        .selectFrom('jobs')
        .select(['kind', 'due_at', 'last_error', 'given_up_at', 'leased_until'])
        .where((job) =>
          job.or([
            job('last_error', 'is not', null),
            job('due_at', '<', new Date(now - OVERDUE_MS).toISOString()),
          ]),
        )
        .orderBy('due_at')
        .limit(1_000)
        .execute(),
    );
    const failing = stored.filter(
      ({ last_error, given_up_at }) => last_error !== null && given_up_at === null,
    );
    // They wait until an owner resumes notifications.
    const isPaused = (await ctx.read(notificationsPausedAt)) !== null;
    const isWaiting = (kind: string): boolean => isPaused && ctx.notifyingJobs.includes(kind);
    const late = stored.filter(
      ({ kind, last_error, given_up_at, leased_until, due_at }) =>
        !isWaiting(kind) &&
        last_error === null &&
        given_up_at === null &&
        leased_until === null &&
        Date.parse(due_at) < now - OVERDUE_MS,
    );
    const [oldest] = late;
    if (oldest && (await serverAtPort(ctx)) === 'claimboard') {
      return {
        finding: 'late',
        params: {
          n: late.length,
          kind: oldest.kind,
          minutes: Math.round((now - Date.parse(oldest.due_at)) / 60_000),
        },
      };
    }
    const [first] = failing;
    if (first)
      return {
        finding: 'failing',
        params: { n: failing.length, kind: first.kind, error: first.last_error ?? '' },
      };
    const given = stored.filter(({ given_up_at }) => given_up_at !== null);
    const [last] = given;
    return last
      ? {
          finding: 'givenUp',
          params: { n: given.length, kind: last.kind, error: last.last_error ?? '' },
        }
      : { finding: 'ok' };
  },
  { readsDatabase: true },
);

/** Deadlines. The System tab adds those that its server fails to process. */
export const due = check(
  'due',
  async (ctx) => {
    const stored = await ctx.read((tx) =>
      tx.selectFrom('clock').select('next_due').executeTakeFirst(),
    );
    const at = stored?.next_due ? Date.parse(stored.next_due) : Number.POSITIVE_INFINITY;
    const ago = ctx.now().getTime() - at;
    if (ago < OVERDUE_MS || (await serverAtPort(ctx)) !== 'claimboard') return { finding: 'ok' };
    return { finding: 'late', params: { minutes: Math.round(ago / 60_000) } };
  },
  { readsDatabase: true },
);

export const notificationChannels = check(
  'destinations',
  async (ctx) => {
    const all = await ctx.read((tx) =>
      tx
        .selectFrom('channels')
        .select(['name', 'is_enabled', 'switched_off', 'last_error', 'waiting'])
        .orderBy('id')
        .execute(),
    );
    // Also without a channel: members' browsers and direct messages wait, too.
    if ((await ctx.read(notificationsPausedAt)) !== null) return { finding: 'paused' };
    if (all.length === 0) return { finding: 'none' };
    const off = all.filter(({ switched_off }) => switched_off !== null);
    const [first] = off;
    if (first) return { finding: 'off', params: { n: off.length, name: first.name } };
    const failing = all.filter(
      ({ is_enabled, last_error, waiting }) =>
        is_enabled === 1 && last_error !== null && waiting > 0,
    );
    const [one] = failing;
    if (one)
      return {
        finding: 'failing',
        params: { n: failing.length, name: one.name, error: one.last_error ?? '' },
      };
    return { finding: 'ok', params: { n: all.length } };
  },
  { readsDatabase: true },
);

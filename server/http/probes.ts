import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Request, type RequestHandler, type Router } from 'express';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { DomainError } from '../../shared/errors.ts';
import type { StorageProblem } from '../../shared/schemas/health.ts';
import type { Peers } from '../db/clock/peers.ts';
import type { ServerClock } from '../db/clock/server-clock.ts';
import type { Db } from '../db/database.ts';
import type { FileMonitor } from '../db/database-file.ts';
import { RETRY_AFTER_S } from '../db/errors.ts';
import { inTime } from '../db/promises.ts';
import type { Env } from '../env.ts';
import { ipOf, isLoopback } from './client-address.ts';
import { type HttpMetrics, type LogContext, routeOf } from './request-log.ts';

/** How long the database may take to answer, in milliseconds. */
const ANSWER_WITHIN_MS = 3_000;

export interface ProbeContext extends MetricsContext {
  log: LogContext['log'];
  db: Db;
  clock: Pick<ServerClock, 'problem' | 'machineAheadSeconds'>;
  peers: Pick<Peers, 'differing'>;
  fileMonitor: Pick<FileMonitor, 'findProblem'>;
}

/** /healthz: the process is up. /readyz: it can serve requests. /metrics: Prometheus text. */
export function probes(ctx: ProbeContext): Router {
  const router = express.Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'up' });
  });
  let looking: Promise<string | null> | null = null;
  router.get('/readyz', async (_req, res) => {
    // Concurrent requests share one check: anyone may ask.
    looking ??= whyNotReady(ctx).finally(() => {
      looking = null;
    });
    const reason = await looking;
    if (reason === null) res.json({ status: 'ready', ...warningOf(ctx) });
    else
      res
        .status(503)
        .set('Retry-After', String(RETRY_AFTER_S))
        .json({ status: 'not ready', reason });
  });
  router.get('/metrics', readMetrics(ctx));
  return router;
}

/** Why this server is not ready, in general terms because anyone may read it; null if it is ready. */
async function whyNotReady({ clock, db, fileMonitor, log }: ProbeContext): Promise<string | null> {
  try {
    const problem = await fileMonitor.findProblem();
    if (problem) return WHY[problem];
    if (!(await inTime(ANSWER_WITHIN_MS, sql`select 1`.execute(db)))) return NO_ANSWER;
    const offset = clock.problem();
    return offset === null ? null : CLOCK[offset](clock.machineAheadSeconds() ?? 0);
  } catch (error) {
    log.warn({ err: error }, 'the readiness check failed');
    return NO_ANSWER;
  }
}

/** Such a server runs no jobs but serves requests: a rollout that changes a setting must not wait until the old servers have stopped. */
function warningOf({ peers }: ProbeContext): { warning?: string } {
  const differing = peers.differing().join(', ');
  return differing === ''
    ? {}
    : {
        warning: `runs no jobs: settings differ from those of the server that started first: ${differing}`,
      };
}

const NO_ANSWER = 'the database does not answer';
const CLOCK = {
  unmeasured: () => 'the clock of the database could not be measured for five minutes',
  beyondReason: (seconds: number) =>
    `the clock of this machine is ${seconds} s ahead of the database's`,
} as const;
const WHY: Record<StorageProblem, string> = {
  'server.storageLost': 'the database file is not the one that was opened',
  'server.storageDamaged': 'the database file is damaged',
  'server.storageReadOnly': 'the database file cannot be written',
  'server.storageFull': 'the disk is nearly full',
};

/** Times every request by its route's pattern, so that ids do not make series of their own. */
export function measureRequests(ctx: { metrics: HttpMetrics }): RequestHandler {
  return (req, res, next) => {
    const stop = ctx.metrics.requests.startTimer();
    res.on('finish', () =>
      stop({ method: req.method, route: routeOf(req, res), status: String(res.statusCode) }),
    );
    next();
  };
}

/** Reuse a rendering for this long, in milliseconds; Prometheus asks every 15 s. */
const KEPT_MS = 1_000;

/** The content type of prom-client's registries. */
const PROMETHEUS_TEXT = Registry.PROMETHEUS_CONTENT_TYPE;

interface MetricsContext {
  env: Pick<Env, 'TRUST_PROXY' | 'METRICS_TOKEN'>;
  renderMetrics: () => Promise<string>;
}

/** An unconfigured proxy on this machine makes every caller look local, but it names the caller in a header. */
function isFromHere(req: Request, { env }: MetricsContext): boolean {
  const { headers } = req;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return isLoopback(ipOf(req, env)) && (env.TRUST_PROXY === '1' || !isForwarded);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function showsToken({ headers }: Request, token: string | undefined): boolean {
  return (
    token !== undefined &&
    timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`))
  );
}

/** Prometheus text, for this machine and for callers with METRICS_TOKEN. Rendered once a second at most. */
function readMetrics(
  ctx: MetricsContext,
  now: () => number = () => performance.now(),
): RequestHandler {
  let rendered: { text: Promise<string>; until: number } | null = null;
  return async (req, res) => {
    if (!isFromHere(req, ctx) && !showsToken(req, ctx.env.METRICS_TOKEN))
      throw new DomainError('request.metricsLocal');
    if (!rendered || rendered.until <= now())
      rendered = { text: ctx.renderMetrics(), until: now() + KEPT_MS };
    res.type(PROMETHEUS_TEXT).send(await rendered.text);
  };
}

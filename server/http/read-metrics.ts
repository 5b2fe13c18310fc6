import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { DomainError } from '../../shared/errors.ts';
import type { Context } from '../context.ts';
import { measureProcess, processRegistry } from '../ops/metrics.ts';
import { ipOf } from './limits/address.ts';

/** How long one rendering is answered with, in milliseconds; Prometheus asks every 15 s. */
const KEPT_MS = 1_000;

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** A proxy on this machine that the settings do not know of makes everybody look local; it says for whom it asks. */
function isFromHere(req: Request, { env }: Pick<Context, 'env'>): boolean {
  const { headers } = req;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return LOOPBACK.test(ipOf(req, env)) && (env.TRUST_PROXY === '1' || !isForwarded);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function showsToken({ headers }: Request, token: string | undefined): boolean {
  return token !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

/** Prometheus text, for this machine and for whoever shows METRICS_TOKEN; rendered once a second at most, however many ask. */
export function readMetrics(
  ctx: Pick<Context, 'env' | 'measureStored' | 'metrics'>,
  now: () => number = () => performance.now(),
): RequestHandler {
  const { registry } = ctx.metrics;
  measureProcess();
  const render = async (): Promise<string> => {
    await ctx.measureStored();
    return (await Promise.all([processRegistry.metrics(), registry.metrics()])).join('\n');
  };
  let rendered: { text: Promise<string>; until: number } | null = null;
  return async (req, res) => {
    if (!isFromHere(req, ctx) && !showsToken(req, ctx.env.METRICS_TOKEN)) throw new DomainError('request.metricsLocal');
    if (!rendered || rendered.until <= now()) rendered = { text: render(), until: now() + KEPT_MS };
    res.type(registry.contentType).send(await rendered.text);
  };
}

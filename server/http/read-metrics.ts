import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { Registry } from 'prom-client';
import { DomainError } from '../../shared/errors.ts';
import type { Env } from '../env.ts';
import { ipOf } from './limits/address.ts';

/** How long one rendering is answered, in milliseconds; Prometheus asks every 15 s. */
const KEPT_MS = 1_000;

/** The content type of prom-client's registries. */
const PROMETHEUS_TEXT = Registry.PROMETHEUS_CONTENT_TYPE;

export interface MetricsContext {
  env: Pick<Env, 'TRUST_PROXY' | 'METRICS_TOKEN'>;
  renderMetrics: () => Promise<string>;
}

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/** A proxy on this machine that the settings do not know of makes everybody look local; it says for whom it asks. */
function isFromHere(req: Request, { env }: MetricsContext): boolean {
  const { headers } = req;
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return LOOPBACK.test(ipOf(req, env)) && (env.TRUST_PROXY === '1' || !isForwarded);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

function showsToken({ headers }: Request, token: string | undefined): boolean {
  return token !== undefined && timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
}

/** Prometheus text, for this machine and for callers with METRICS_TOKEN. Rendered once a second at most. */
export function readMetrics(ctx: MetricsContext, now: () => number = () => performance.now()): RequestHandler {
  let rendered: { text: Promise<string>; until: number } | null = null;
  return async (req, res) => {
    if (!isFromHere(req, ctx) && !showsToken(req, ctx.env.METRICS_TOKEN)) throw new DomainError('request.metricsLocal');
    if (!rendered || rendered.until <= now()) rendered = { text: ctx.renderMetrics(), until: now() + KEPT_MS };
    res.type(PROMETHEUS_TEXT).send(await rendered.text);
  };
}

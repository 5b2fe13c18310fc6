import type { Logger } from 'pino';
import type { ClientError } from '../../../shared/schemas/client-error.ts';
import { withoutSecrets } from '../../../shared/secrets.ts';
import type { Reading } from '../../db/database.ts';
import { defineMemory } from '../../db/memory.ts';
import type { Metrics } from '../../http/metrics.ts';
import { createTries, type Tries } from '../../http/rate-limits.ts';

/** Browser errors that one address may report in 5 minutes. */
export const MAX_PER_ADDRESS = 20;
/** Browser errors that all addresses may report in 5 minutes. */
export const MAX_REPORTS = 200;
const WINDOW_MS = 5 * 60_000;
/** Addresses whose reports are counted. */
const MAX_ADDRESSES = 10_000;
/** Characters of the user agent to log. */
const MAX_USER_AGENT = 200;

interface ReportCounts {
  addresses: Tries;
  all: Tries;
}

const reportCounts = defineMemory((ctx: Reading): ReportCounts => {
  const now = (): number => ctx.now().getTime();
  return {
    addresses: createTries({ window_ms: WINDOW_MS, most: MAX_ADDRESSES, now }),
    all: createTries({ window_ms: WINDOW_MS, most: 1, now }),
  };
});

export interface ErrorLog extends Reading {
  log: Pick<Logger, 'warn'>;
  metrics: Pick<Metrics, 'clientErrors'>;
}

export interface Reporter {
  address: string;
  /** The user agent. */
  browser: string | undefined;
}

/**
 * Logs an error of a browser, without secrets: the reporter need not be our client.
 * @throws DomainError request.tooManyTries
 */
export function logClientError(
  ctx: ErrorLog,
  { address, browser: named }: Reporter,
  { message, stack, page, request_id }: ClientError,
): void {
  const { addresses, all } = reportCounts(ctx);
  addresses.admit(address, MAX_PER_ADDRESS);
  all.admit('all', MAX_REPORTS);
  const browser = named?.slice(0, MAX_USER_AGENT);
  const client = {
    message: withoutSecrets(message),
    stack: stack && withoutSecrets(stack),
    page: withoutSecrets(page),
    browser,
    request_id,
  };
  ctx.log.warn({ client }, 'a page failed in a browser');
  ctx.metrics.clientErrors.inc();
}

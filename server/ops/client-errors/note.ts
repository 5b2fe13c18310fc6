import type { Logger } from 'pino';
import { DomainError } from '../../../shared/errors.ts';
import type { ClientError } from '../../../shared/schemas/client-error.ts';
import { withoutSecrets } from '../../../shared/secrets.ts';
import { createTries, type Tries } from '../../http/rate-limits.ts';
import type { Metrics } from '../metrics.ts';

/** Reports that are noted in a stretch of time: of one address, and of everybody. */
export const MOST_OF_ADDRESS = 20;
export const MOST_OF_ALL = 200;
/** The stretch, in milliseconds. */
const WINDOW_MS = 5 * 60_000;
const MOST_REMEMBERED = 10_000;
/** Signs of what a browser calls itself. */
const MAX_BROWSER = 200;

/** How many reports there were of late. */
export interface ReportCounts {
  addresses: Tries;
  all: Tries;
}

export function createReportCounts(time: () => Date): ReportCounts {
  const now = (): number => time().getTime();
  return {
    addresses: createTries({ window_ms: WINDOW_MS, most: MOST_REMEMBERED, now }),
    all: createTries({ window_ms: WINDOW_MS, most: 1, now }),
  };
}

export interface Noting {
  clientErrors: ReportCounts;
  log: Pick<Logger, 'warn'>;
  metrics: Pick<Metrics, 'clientErrors'>;
}

/** Whose page it was. */
export interface Reporter {
  address: string;
  /** What the browser calls itself. */
  browser: string | undefined;
}

/**
 * Puts an error of somebody's page into the log, without what may be a secret: whoever reports it need not be our client.
 * @throws DomainError request.tooManyTries
 */
export function noteClientError(
  ctx: Noting,
  { address, browser: named }: Reporter,
  { message, stack, page, request_id }: ClientError,
): void {
  const { addresses, all } = ctx.clientErrors;
  const own = addresses.count(address);
  if (own.tries > MOST_OF_ADDRESS) throw new DomainError('request.tooManyTries', { seconds: own.seconds });
  const everybody = all.count('all');
  if (everybody.tries > MOST_OF_ALL) throw new DomainError('request.tooManyTries', { seconds: everybody.seconds });
  const browser = named?.slice(0, MAX_BROWSER);
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

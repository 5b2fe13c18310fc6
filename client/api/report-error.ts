import {
  MAX_ERROR_MESSAGE,
  MAX_ERROR_PAGE,
  MAX_ERROR_STACK,
} from '../../shared/rules/client-error.ts';
import type { ClientError } from '../../shared/schemas/client-error.ts';
import { FormatError, LoadError } from './load-error.ts';
import { ApiError, latestRequestId, ownSecrets } from './request.ts';

/** At most this many reports per page load. */
const MAX_REPORTS = 10;
/** Errors of the browser or its extensions. */
const FOREIGN_ERROR = /^Script error|ResizeObserver loop|\b[a-z]+-extension:\/\//;

const reported = new Set<string>();

/** Reports a bug to the server's log, once each, without secrets. Refusals and network failures are not reported. */
export function reportError(failure: unknown): void {
  const error = failure instanceof LoadError ? failure.reason : failure;
  if (error instanceof ApiError || error instanceof FormatError || error instanceof DOMException)
    return;
  const { message, stack = '' } = error instanceof Error ? error : { message: String(error) };
  const known = `${message}\n${stack}`;
  if (
    FOREIGN_ERROR.test(message) ||
    FOREIGN_ERROR.test(stack) ||
    reported.has(known) ||
    reported.size >= MAX_REPORTS
  )
    return;
  reported.add(known);
  const own = { secrets: ownSecrets(), request_id: latestRequestId() };
  send({ message, stack, page: location.pathname, ...own }).catch(() => {});
}

interface Known {
  message: string;
  stack: string;
  page: string;
  secrets: readonly string[];
  request_id: string | null;
}

async function send({ message, stack, page, secrets, request_id }: Known): Promise<void> {
  // Only now, since a visitor's first load would grow by 2 kB.
  const { withoutSecrets } = await import('../../shared/secrets.ts');
  const body: ClientError = {
    message: withoutSecrets(message, secrets).slice(0, MAX_ERROR_MESSAGE),
    stack: withoutSecrets(stack, secrets).slice(0, MAX_ERROR_STACK),
    // Without the fragment, which may hold an invitation's token.
    page: page.slice(0, MAX_ERROR_PAGE),
    ...(request_id === null ? {} : { request_id }),
  };
  // Without cookies, which hold access keys; keepalive, because the page may be closing.
  const options = {
    method: 'POST',
    credentials: 'omit',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
  } as const;
  await fetch('/api/client-errors', { ...options, body: JSON.stringify(body) });
}

export function watchErrors(): void {
  window.addEventListener('error', ({ error, message }) => reportError(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}

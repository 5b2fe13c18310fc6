import { MAX_ERROR_MESSAGE, MAX_ERROR_PAGE, MAX_ERROR_STACK } from '../../shared/rules/client-error.ts';
import type { ClientError } from '../../shared/schemas/client-error.ts';
import { withoutSecrets } from '../../shared/secrets.ts';
import { FormatError, LoadError } from './load-error.ts';
import { ApiError, latestRequestId, ownSecrets } from './request.ts';

/** What one tab reports until it is loaded anew. */
const MOST_OF_TAB = 10;
/** What the browser or its extensions say, and nobody here can mend. */
const NOT_OURS = /^Script error|ResizeObserver loop|\b[a-z]+-extension:\/\//;

const told = new Set<string>();

/** Tells the server's log of a mistake, each once: no refusals, no network that fails, and nothing that is secret. */
export function reportError(failure: unknown): void {
  const error = failure instanceof LoadError ? failure.reason : failure;
  if (error instanceof ApiError || error instanceof FormatError || error instanceof DOMException) return;
  const { message, stack = '' } = error instanceof Error ? error : { message: String(error) };
  const known = `${message}\n${stack}`;
  if (NOT_OURS.test(message) || NOT_OURS.test(stack) || told.has(known) || told.size >= MOST_OF_TAB) return;
  told.add(known);
  const [request_id, secrets] = [latestRequestId(), ownSecrets()];
  const body: ClientError = {
    message: withoutSecrets(message, secrets).slice(0, MAX_ERROR_MESSAGE),
    stack: withoutSecrets(stack, secrets).slice(0, MAX_ERROR_STACK),
    // Without the fragment, which holds an invitation's token.
    page: location.pathname.slice(0, MAX_ERROR_PAGE),
    ...(request_id === null ? {} : { request_id }),
  };
  // Without the cookies, which hold access keys; and although the page may be about to go.
  const options = { method: 'POST', credentials: 'omit', keepalive: true, headers: { 'Content-Type': 'application/json' } } as const;
  fetch('/api/client-errors', { ...options, body: JSON.stringify(body) }).catch(() => {});
}

/** Reports what nobody catches from now on. */
export function watchErrors(): void {
  window.addEventListener('error', ({ error, message }) => reportError(error ?? message));
  window.addEventListener('unhandledrejection', ({ reason }) => reportError(reason));
}

import { BUILD_HEADER } from '../../shared/build.ts';
import type { ErrorCode, Params } from '../../shared/errors.ts';
import type { Refusal } from '../../shared/live.ts';
import { REQUEST_ID, REQUEST_ID_HEADER } from '../../shared/request-id.ts';
import { noteServerBuild } from '../lib/loading/new-build.ts';

type AnswerFacts = Pick<ApiError, 'responseText' | 'statusText' | 'requestId'>;

/** A refusal by the server, or a request that never reached it (`network.failed`, status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Empty if the answer has no code, so it isn't our server's. `message` is then the answer's own text, or empty. */
  readonly code: ErrorCode | 'network.failed' | '';
  readonly params: Params;
  /** The readable text of an answer that isn't our server's: a portal's page, or why a key is not valid. */
  readonly responseText: string;
  readonly statusText: string;
  /** Identifies the request in the server's log. */
  readonly requestId: string | null;

  constructor(
    status: number,
    code: ApiError['code'],
    params: Params,
    message: string,
    answer: Partial<AnswerFacts> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.params = params;
    this.responseText = answer.responseText ?? '';
    this.statusText = answer.statusText ?? '';
    this.requestId = answer.requestId ?? null;
  }
}

/** Whether our server's refusal ends the session. A proxy's refusal or a missing permission doesn't. */
export const isSessionCode = (code: unknown): code is ErrorCode =>
  typeof code === 'string' && code.startsWith('session.') && code !== 'session.notAllowed';

export const endsSession = (error: unknown): error is ApiError & { code: ErrorCode } =>
  error instanceof ApiError && isSessionCode(error.code);

/** Who the request is from; set by the session store. */
export interface Credentials {
  access_key: string | null;
  admin_token: string | null;
}
let credentials: Credentials = { access_key: null, admin_token: null };
export function setCredentials(next: Credentials): void {
  const isOther = callerOf(next) !== callerOf(credentials);
  credentials = next;
  if (isOther) for (const watcher of callerWatchers) watcher();
}

/** The one secret that is sent. An admin stays the caller, with or without a selected character. */
const callerOf = ({ admin_token, access_key }: Credentials): string | null =>
  admin_token || access_key;

export const isSignedIn = (): boolean => callerOf(credentials) !== null;

const callerWatchers = new Set<() => void>();
/**
 * Runs `watcher` when the caller changes.
 * @returns a function that stops watching
 */
export function watchCaller(watcher: () => void): () => void {
  callerWatchers.add(watcher);
  return () => void callerWatchers.delete(watcher);
}

/** The caller's secrets, in each form that a page may contain. */
export function ownSecrets(): string[] {
  const { access_key, admin_token } = credentials;
  return [access_key, access_key?.replaceAll('-', ''), admin_token].filter(
    (secret) => typeof secret === 'string',
  );
}

/** For calls that carry no session. */
export const anonymous: Credentials = { access_key: null, admin_token: null };

/** Fail a request after this long, since a network that drops packets never answers. */
const TIMEOUT_MS = 15_000;
/** Uploading a picture over a slow connection takes longer. */
const UPLOAD_TIMEOUT_MS = 60_000;

/** Called for each refusal, so that any call can detect an expired session. */
let onRefusal: (error: ApiError, sent: Credentials) => void = () => {};
export function watchRefusals(watcher: typeof onRefusal): void {
  onRefusal = watcher;
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  body?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
  /** Instead of the session's credentials: a key or token to check. */
  as?: Partial<Credentials>;
  signal?: AbortSignal;
  /** Also sent if the page is closed meanwhile. */
  keepalive?: boolean;
  /** A longer timeout, where the server itself waits for another one. */
  timeout_ms?: number;
}

let lastRequestId: string | null = null;
/** The id of the last answered request, to find it in the server's log. */
export const latestRequestId = (): string | null => lastRequestId;

function requestIdOf({ headers }: Response): string | null {
  const id = headers.get(REQUEST_ID_HEADER);
  return id !== null && REQUEST_ID.test(id) ? id : null;
}

/** @throws ApiError when the server refuses, or is not reached */
async function send(path: string, options: RequestOptions): Promise<Response> {
  const sent = { ...credentials, ...options.as };
  const headers = new Headers(options.headers);
  if (sent.admin_token) headers.set('Authorization', `Bearer ${sent.admin_token}`);
  else if (sent.access_key) headers.set('X-Access-Key', sent.access_key);
  if (options.body !== undefined) headers.set('Content-Type', 'application/json');
  const response = await reach(path, options, headers);
  noteServerBuild(response.headers.get(BUILD_HEADER));
  lastRequestId = requestIdOf(response) ?? lastRequestId;
  if (response.ok || response.status === 304) return response;
  const error = await refusal(response);
  onRefusal(error, sent);
  throw error;
}

/** Also for an answer that is not our server's, or was cut off. */
export const networkFailed = (): ApiError =>
  new ApiError(0, 'network.failed', {}, 'Network error. Please check your connection.');

async function reach(path: string, options: RequestOptions, headers: Headers): Promise<Response> {
  const timeout = options.timeout_ms ?? (options.form ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS);
  try {
    return await fetch(`/api${path}`, {
      method: options.method ?? 'GET',
      headers,
      cache: 'no-store',
      keepalive: options.keepalive ?? false,
      ...(options.form ? { body: options.form } : {}),
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: within(timeout, options.signal),
    });
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw networkFailed();
  }
}

/** Read at most this many characters of a foreign page, and keep fewer of its text. */
const MAX_READ = 20_000;
const MAX_KEPT = 200;
const MARKUP = /<(script|style|head)\b[\s\S]*?<\/\1>|<[^>]*>/gi;

/** Aborts after `ms` or with the given signal. Older browsers lack `AbortSignal.any` and `timeout`. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  if (signal?.aborted) end();
  setTimeout(end, ms);
  signal?.addEventListener('abort', end, { once: true, signal: controller.signal });
  return controller.signal;
}

async function refusal(response: Response): Promise<ApiError> {
  const { statusText } = response;
  const text = await response.text().catch(() => '');
  const body = parsed(text);
  // A gateway's JSON is not for people.
  const responseText =
    body !== undefined || /^\s*[{[]/.test(text)
      ? ''
      : text.slice(0, MAX_READ).replace(MARKUP, ' ').replace(/\s+/g, ' ').trim().slice(0, MAX_KEPT);
  return refusalOf(response.status, fieldsOf(body), {
    responseText,
    statusText,
    requestId: requestIdOf(response),
  });
}

/** The body of a failed answer, from our server or a proxy. */
export type Failure = Partial<Refusal> & { message?: string };

/** Section 7 of the specification: the text of a failure is in `error`, else in `message`. Empty: there is none. */
export function textIn({ error, message }: Failure): string {
  const text = [error, message].find((field) => typeof field === 'string' && field.trim() !== '');
  return text?.trim() ?? '';
}

function refusalOf(status: number, failure: Failure, facts: AnswerFacts): ApiError {
  const { code, params } = failure;
  const isOurs = typeof code === 'string';
  return new ApiError(status, isOurs ? code : '', (isOurs && params) || {}, textIn(failure), facts);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The fields of a body; none if it is no object. */
const fieldsOf = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {});

async function bodyOf<T>(response: Response, { signal }: RequestOptions): Promise<T> {
  try {
    return await response.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw networkFailed();
  }
}

/**
 * Makes a call of the API and answers its `data`.
 * @throws ApiError for every refusal and for a network that fails
 */
export async function request<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  const body = await bodyOf<{ data: T }>(response, options);
  return body.data;
}

/** A page of a list, and how many records there are; null if the answer doesn't say. */
export async function requestPage<T>(
  path: string,
  options: RequestOptions = {},
): Promise<{ records: T[]; total: number | null }> {
  const response = await send(path, options);
  const body = await bodyOf<{ data: T[] }>(response, options);
  const total = response.headers.get('X-Total-Count');
  return { records: body.data, total: total === null ? null : Number(total) };
}

/**
 * For calls whose answer may come without the envelope: its fields, those of `data` before those of the whole body. Any may be missing.
 * @throws ApiError for every refusal and for a network that fails
 */
export async function requestDataOrBody<T>(
  path: string,
  options: RequestOptions = {},
): Promise<Partial<T> & Failure> {
  const response = await send(path, options);
  const body = await bodyOf<{ data?: unknown } | null>(response, options);
  return { ...fieldsOf(body), ...fieldsOf(body?.data) };
}

/** Like `request`, for calls that answer without the `{ success, data }` envelope. */
export async function requestBare<T>(path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(path, options);
  return bodyOf<T>(response, options);
}

/** A bare answer with its ETag; null if the known one is still current. */
export async function requestIfChanged<T>(
  path: string,
  etag: string | null,
): Promise<{ body: T; etag: string | null } | null> {
  // Without it, browsers add `no-cache` to a request with a validator, and a proxy would take that for a forced reload.
  const response = await send(
    path,
    etag ? { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } } : {},
  );
  if (response.status === 304) return null;
  return { body: await bodyOf<T>(response, {}), etag: response.headers.get('etag') };
}

export const pathPart = encodeURIComponent;

/** A query string with the current time, so that no proxy answers from its cache. */
export const queryText = (query: object): string => {
  const fields = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return new URLSearchParams([...fields, ['at', String(Date.now())]]).toString();
};

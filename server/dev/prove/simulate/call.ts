import type { Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { type Turns, turn } from './turns.ts';

export interface HttpRequest {
  method: string;
  /** With `/api` before it. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** `before`: the connection breaks while the request is sent. A number: so many turns after that it was. */
export type Cut = 'before' | number;

/** One HTTP request over a connection in memory. @returns the answer; null when the connection was cut before it came */
export async function call(
  http: Server,
  turns: Turns,
  { method, path, headers = {}, body = '' }: HttpRequest,
  cut?: Cut,
): Promise<HttpResponse | null> {
  const [near, far] = duplexPair();
  http.emit('connection', asSocket(far));
  const length = Buffer.byteLength(body);
  const typed = body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${length}`];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const request = [
    `${method} ${path} HTTP/1.1`,
    'Host: claimboard.test',
    'Connection: close',
    ...typed,
    ...lines,
    '',
    body,
  ].join('\r\n');
  turns.open += 1;
  try {
    const answer = answerFrom(near);
    near.write(cut === 'before' ? request.slice(0, -1) : request);
    if (cut === undefined) return await answer;
    await turns.some(cut === 'before' ? 3 : cut);
    return null;
  } finally {
    // Node keeps the parser of a connection, and with it the whole server, until the connection is destroyed.
    far.destroy();
    near.destroy();
    if (cut !== undefined) await turn();
    turns.open -= 1;
  }
}

/** The members of a TCP socket that the HTTP server uses beside its bytes. */
function asSocket(end: Duplex): Duplex {
  const same = (): Duplex => end;
  return Object.assign(end, {
    remoteAddress: '127.0.0.1',
    setTimeout: same,
    setKeepAlive: same,
    setNoDelay: same,
    ref: same,
    unref: same,
  });
}

function answerFrom(near: Duplex): Promise<HttpResponse | null> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    near.on('error', () => resolve(null));
    near.on('close', () => resolve(null));
    near.on('data', (chunk: Buffer) => chunks.push(chunk));
    near.on('end', () => resolve(parsed(Buffer.concat(chunks).toString())));
  });
}

function parsed(text: string): HttpResponse | null {
  const split = text.indexOf('\r\n\r\n');
  if (split < 0) return null;
  const [first = '', ...lines] = text.slice(0, split).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = text.slice(split + 4);
  return {
    status: Number(first.split(' ')[1]),
    headers,
    body: headers['transfer-encoding'] === 'chunked' ? whole(body) : body,
  };
}

/** The body of a chunked answer; it is ASCII or whole characters, since every chunk was written as text. */
function whole(chunked: string): string {
  const bytes = Buffer.from(chunked);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (!size) break;
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts).toString();
}

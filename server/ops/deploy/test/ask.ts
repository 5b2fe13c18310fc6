import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { RECEIVER_PEM } from '../../../dev/test/receiver.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** The server's JSON; anything for other bodies. */
  json: { code?: string; data?: { token?: string; id?: number; key_value?: string } };
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: object | Buffer;
  /** The address of this machine that it comes from. */
  from?: string;
}

/** Over https, from one of this machine's own addresses. */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const bytes = body instanceof Buffer ? body : body && Buffer.from(JSON.stringify(body));
    const kind = body && !(body instanceof Buffer) ? { 'Content-Type': 'application/json' } : {};
    const length = bytes ? { 'Content-Length': bytes.length } : {};
    const options = {
      method,
      headers: { ...kind, ...length, ...headers },
      ca: RECEIVER_PEM,
      localAddress: from,
      family: 4,
      agent: false,
    };
    const req = request(url, options, async (response) => {
      const isGzipped = response.headers['content-encoding'] === 'gzip';
      const raw = isGzipped
        ? gunzipSync(Buffer.concat(await Array.fromAsync(response))).toString()
        : await text(response);
      const isJson = response.headers['content-type']?.startsWith('application/json');
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: raw,
        json: isJson ? JSON.parse(raw || '{}') : {},
      });
    });
    req.on('error', reject);
    req.end(bytes);
  });
}

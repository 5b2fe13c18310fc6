import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** From the first byte sent to the last one received, in milliseconds. */
  took_ms: number;
}

/** A call that gets no answer in this time counts as unanswered, in milliseconds. */
const GIVE_UP_MS = 30_000;

export const connections = (): Agent => new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request unchanged: fetch would normalize its path. @throws when the connection ends without an answer */
export function send(agent: Agent, { method, url, headers, body }: Sent): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const path = url.slice(url.indexOf('/', 'http://'.length));
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const message = request(
      {
        agent,
        hostname,
        port,
        method: method.toUpperCase(),
        path,
        headers: { ...headers, ...length },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            took_ms: performance.now() - began,
          });
        });
      },
    );
    message.setTimeout(GIVE_UP_MS, () => message.destroy(new Error('no answer')));
    message.on('error', reject);
    message.end(body ?? undefined);
  });
}

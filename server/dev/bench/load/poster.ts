import { Agent, request } from 'node:http';

export interface PostRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Reuse connections; true by default. */
  keep?: boolean;
}

export interface Answered {
  status: number;
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
  /** From the request's first byte to the response's last. */
  ms: number;
  /** Received on this connection, headers included; without `keep`, the whole response on the wire. */
  wire_bytes: number;
}

const kept = new Agent({ keepAlive: true });

/** Sends a request with Node's own client. @throws Error if the connection breaks */
export function ask(
  url: string,
  { method = 'GET', headers = {}, body, keep = true }: PostRequest = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const since = performance.now();
    const length =
      body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
    const asking = request(
      url,
      { method, headers: { ...headers, ...length }, agent: keep ? kept : false },
      (answer) => {
        const { socket } = answer;
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const ms = performance.now() - since;
          resolve({
            status: answer.statusCode ?? 0,
            body: Buffer.concat(chunks),
            headers: answer.headers,
            ms,
            wire_bytes: socket.bytesRead,
          });
        });
      },
    );
    asking.on('error', reject);
    asking.end(body);
  });
}

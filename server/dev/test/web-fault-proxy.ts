import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { rewriteTexts } from './websocket-frames.ts';

/**
 * The fault of a request, or of a live connection: another page, an answer delayed by so many
 * milliseconds, `silent`: accepted and never answered, `cut`: reset. The last two also apply to open live
 * connections.
 */
export type Fault =
  | { status: number; type?: string; body?: string }
  | { delay_ms: number }
  | 'silent'
  | 'cut';

export interface WebFaultProxy extends Pick<FaultProxy, 'url' | 'become' | 'close'> {
  /** Applies the fault to these paths from now on; of several for one path the last holds. */
  fault: (paths: RegExp, fault: Fault) => void;
  /** No path meets a fault any more. What was silent stays so. */
  heal: () => void;
  /** Each text that the server says over live connections, as Socket.IO writes it, becomes what this makes of it; null: nothing. */
  rewrite: (rewrite: (text: string) => string | null) => void;
}

/** A captive portal's answer to every request. */
export const portalPage = (status: number): Fault => ({
  status,
  body: '<!doctype html><title>Guest network</title><h1>Please sign in</h1>',
});

/** A proxy between a browser and the server. It understands HTTP; `become` puts a plain TCP fault before it. */
export async function startWebFaultProxy(target: string): Promise<WebFaultProxy> {
  const { hostname, port } = new URL(target);
  let faults: { paths: RegExp; fault: Fault }[] = [];
  let rewrite = (text: string): string | null => text;
  const live = new Map<Duplex, { path: string; stop: (fault: 'silent' | 'cut') => void }>();

  const faultOf = ({ url = '' }: IncomingMessage): Fault | undefined =>
    faults.findLast(({ paths }) => paths.test(url))?.fault;
  /** @returns whether the request is to be passed on */
  const meet = async (
    fault: Fault | undefined,
    socket: Duplex,
    answer: (status: number, type: string, body: string) => void,
  ) => {
    if (fault === undefined) return true;
    if (fault === 'cut') socket.destroy();
    else if (fault !== 'silent' && 'status' in fault)
      answer(fault.status, fault.type ?? 'text/html', fault.body ?? '');
    else if (fault !== 'silent') {
      await pause(fault.delay_ms);
      return !socket.destroyed;
    }
    return false;
  };

  const pass = (req: IncomingMessage, res: ServerResponse): void => {
    const onward = request({
      hostname,
      port,
      path: req.url,
      method: req.method,
      headers: req.headers,
      agent: false,
    });
    onward.on('response', (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(res);
      answer.on('error', () => res.destroy());
    });
    onward.on('error', () => res.destroy());
    res.on('close', () => onward.destroy());
    req.pipe(onward);
  };
  const server = createServer(async (req, res) => {
    const answer = (status: number, type: string, body: string): void =>
      void res.writeHead(status, { 'Content-Type': type }).end(body);
    if (await meet(faultOf(req), req.socket, answer)) pass(req, res);
  });
  server.on('upgrade', async (req: IncomingMessage, near: Duplex) => {
    near.on('error', () => {});
    const answer = (status: number, type: string, body: string): void =>
      void near.end(
        `HTTP/1.1 ${status} Fault\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    if (!(await meet(faultOf(req), near, answer))) return;
    const far = connect(Number(port), hostname);
    const headers = req.rawHeaders
      .map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
      .join('');
    far.write(`${req.method} ${req.url} HTTP/1.1\r\n${headers}\r\n`);
    const texts = rewriteTexts((text) => rewrite(text));
    near.pipe(far);
    far.pipe(texts).pipe(near);
    far.on('error', () => near.destroy());
    far.on('close', () => live.has(near) && near.end());
    near.on('close', () => {
      live.delete(near);
      far.destroy();
    });
    const stop = (fault: 'silent' | 'cut'): void => {
      if (fault === 'cut') return void near.destroy();
      // Nothing is passed on, the end of either side neither.
      live.delete(near);
      near.unpipe(far);
      texts.unpipe(near);
      near.resume();
      texts.resume();
    };
    live.set(near, { path: req.url ?? '', stop });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const network = await startFaultProxy(
    `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
  );

  return {
    url: network.url.replace(/\/$/, ''),
    become: network.become,
    fault: (paths, fault) => {
      faults.push({ paths, fault });
      if (fault === 'silent' || fault === 'cut')
        for (const { path, stop } of live.values()) if (paths.test(path)) stop(fault);
    },
    heal: () => {
      faults = [];
    },
    rewrite: (next) => {
      rewrite = next;
    },
    close: async () => {
      await network.close();
      server.close();
      server.closeAllConnections();
    },
  };
}

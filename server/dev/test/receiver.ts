import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer as createPlain,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  /** How many connections were made. */
  connections: () => number;
  close: () => Promise<void>;
}

/** Responds to a message; a response that is never ended is a hanging receiver. */
export type Answering = (response: ServerResponse, message: Received, socket: Socket) => void;

export const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Answering =>
  (response) =>
    void response.writeHead(status, headers).end(body);
export const hanging: Answering = () => {};
export const resetting: Answering = (_response, _message, socket) => void socket.resetAndDestroy();

/** Key and certificate of receiver.test, localhost and 127.0.0.1, which only clients configured for it trust. */
export const RECEIVER_PEM = readFileSync(new URL('receiver.pem', import.meta.url), 'utf8');

/** Listens on 127.0.0.1, with https where it is `secure`. */
export async function startReceiver(answer: Answering, { secure = false } = {}): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    response.on('error', () => {});
    const pieces: Buffer[] = [];
    try {
      for await (const piece of request) pieces.push(piece);
    } catch {
      // It went away in the middle.
      return;
    }
    const { method = '', url: path = '', headers, socket } = request;
    const message = { method, path, headers, body: Buffer.concat(pieces).toString() };
    received.push(message);
    answer(response, message, socket);
  };
  const server = secure
    ? createSecure({ key: RECEIVER_PEM, cert: RECEIVER_PEM }, listener)
    : createPlain(listener);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${secure ? 'https' : 'http'}://127.0.0.1:${port}/`,
    received,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A receiver that stops when the test has finished. */
export async function aReceiver(
  answer: Answering,
  options: { secure?: boolean } = {},
): Promise<Receiver> {
  const receiver = await startReceiver(answer, options);
  onTestFinished(receiver.close);
  return receiver;
}

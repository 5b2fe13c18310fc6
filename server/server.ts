import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { errorStatus } from '../shared/errors.ts';
import { createApp } from './app.ts';
import { beginDay, watchDay } from './config/day.ts';
import type { Context } from './context.ts';
import { refusalOf } from './http/errors.ts';
import { createLive } from './live/socket.ts';

export interface RunningServer {
  port: number;
  /** Takes no more requests, closes the live connections, waits for what is under way. */
  stop: () => Promise<void>;
}

/** How long requests under way may take to finish when the server stops, in milliseconds. */
const GRACE_MS = 5_000;

/**
 * Serves a context over HTTP and live.
 * @throws Error when the port cannot be listened on
 */
export async function serve(ctx: Context): Promise<RunningServer> {
  await beginDay(ctx);
  const app = createApp(ctx);
  let stopping = false;
  const http = createServer((req, res) => (stopping ? refuseWhileStopping(res) : app(req, res)));
  const live = createLive(ctx, http);
  // A WebSocket's connection is no longer one of the server's own, but it keeps the server open all the same.
  const connections = new Set<Socket>();
  http.on('connection', (connection) => {
    connections.add(connection);
    connection.once('close', () => connections.delete(connection));
  });
  await listening(http, ctx.env.PORT, ctx.env.HOST);
  const stopWatchingDay = watchDay(ctx);
  return {
    port: portOf(http),
    stop: async () => {
      stopping = true;
      stopWatchingDay();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // Closing the transports, not the sockets: those clients connect anew by themselves.
      live.engine.close();
      http.closeIdleConnections();
      const deadline = setTimeout(() => destroyAll(connections), GRACE_MS);
      await closed;
      clearTimeout(deadline);
    },
  };
}

/** For requests on connections that were open already: they end with this answer. */
function refuseWhileStopping(res: ServerResponse): void {
  res.writeHead(errorStatus['server.stopping'], { 'Content-Type': 'application/json', Connection: 'close' });
  res.end(JSON.stringify(refusalOf('server.stopping')));
}

function listening(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(port, host, () => {
      http.off('error', reject);
      resolve();
    });
  });
}

function portOf(http: Server): number {
  const address: AddressInfo | string | null = http.address();
  return typeof address === 'object' && address ? address.port : 0;
}

function destroyAll(connections: Iterable<Socket>): void {
  for (const connection of connections) connection.destroy();
}

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { mountDownloads, routesOf } from './app.ts';
import type { Context } from './context.ts';
import { keepPulse } from './db/clock/pulse.ts';
import { refreshSubscribedTypes } from './db/domain-events.ts';
import { refusalOfDatabase } from './db/errors.ts';
import { jobKindsOf, pulseTasksOf } from './feature.ts';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  limitConnections,
  refuseUnparsable,
  serverOptions,
} from './http/connection-limits.ts';
import { refuseAtOnce } from './http/errors.ts';
import { createExpressApp } from './http/express-app.ts';
import { createPipelines } from './http/pipelines.ts';
import { logRequests } from './http/request-log.ts';
import { hasOneHost } from './http/security-headers.ts';
import { createJobs, type JobsOptions } from './jobs/runner.ts';
import { createLive, type LiveOptions } from './live/sockets.ts';

export interface RunningServer {
  port: number;
  /** How many connections are open, live ones included. */
  connections: () => number;
  /** Runs the due jobs and deadlines now. */
  runDue: () => Promise<void>;
  /** Resolves with the migration of a newer program, once the database went through one: this server then refuses all requests. */
  outdated: Promise<string>;
  /** Stores a heartbeat and compares the settings, now. */
  beat: () => Promise<void>;
  /** Takes no more requests, closes the live connections, waits for what is under way. */
  stop: () => Promise<void>;
}

/** How long requests under way may take to finish when the server stops, in milliseconds. */
const GRACE_MS = 5_000;

/** Connections that may wait until they are taken: a whole guild comes back within a second. The system may allow fewer. */
const BACKLOG = 8_192;

/** The part of Engine.IO's side of a live connection that is used. */
interface EngineSocket {
  request: IncomingMessage;
  once: (event: 'close', listener: () => void) => void;
}

export interface ServeOptions {
  bounds?: Partial<ConnectionLimits>;
  live?: Partial<LiveOptions>;
  jobs?: JobsOptions;
  /** How often this server checks its schema, its clock and the other servers, in ms. */
  pulseMs?: number;
}

/**
 * Serves a context over HTTP and live.
 * @throws Error when the port cannot be listened on
 */
export async function serve(ctx: Context, options: ServeOptions = {}): Promise<RunningServer> {
  const bounds = { ...CONNECTION_LIMITS, ...options.bounds };
  const pulse = keepPulse(ctx, pulseTasksOf(ctx), options.pulseMs);
  const begin = async (): Promise<void> => {
    await pulse.beat();
    await refreshSubscribedTypes(ctx);
  };
  await begin().catch((error: unknown) => {
    // As a running server does, one that is started on a full disk serves reads. The next heartbeat is stored when there is space.
    if (refusalOfDatabase(error)?.code !== 'server.storageFull') throw error;
    ctx.log.error(
      { err: error },
      'the disk is full: the board can be read, and nothing can be saved',
    );
  });
  const app = createExpressApp(ctx, { routes: routesOf(ctx.features), mountDownloads });
  let stopping = false;
  let isOutdated = false;
  const outdated = pulse.outdated.then((migration) => {
    isOutdated = true;
    return migration;
  });
  const logRequest = logRequests(ctx);
  const pipelines = createPipelines(
    (req, res) => {
      logRequest(req, res);
      // On connections that were open already; they close with this answer.
      if (isOutdated) refuseAtOnce(res, 'server.outdated');
      else if (stopping) refuseAtOnce(res, 'server.stopping');
      else if (!hasOneHost(req)) refuseAtOnce(res, 'request.malformed');
      else app(req, res);
    },
    bounds,
    ctx,
  );
  const http = createServer(serverOptions(bounds, ctx.env));
  const connections = limitConnections(http, bounds, ctx);
  const live = createLive(ctx, http, {
    maxPerAddress: bounds.connections_per_address,
    ...options.live,
  });
  // A peer that stopped answering may never close its side.
  live.engine.on('connection', (watcher: EngineSocket) => {
    watcher.once('close', () => watcher.request.socket.setTimeout(bounds.silence_ms));
  });
  // Replace Socket.IO's own listener: the live protocol uses WebSockets only, so all plain requests are ours to limit and answer.
  http.removeAllListeners('request');
  http.on('request', pipelines.listener);
  // Ignore unknown expectations instead of refusing them, as HTTP allows.
  http.on('checkExpectation', pipelines.listener);
  refuseUnparsable(http, ctx, pipelines.isMidAnswer);
  await listening(http, ctx.env.PORT, ctx.env.HOST);
  const jobs = createJobs(ctx, jobKindsOf(ctx.features), options.jobs);
  void jobs.runDue();
  const stopWatching = ctx.fileMonitor.start();
  return {
    port: portOf(http),
    connections: () => connections.size,
    outdated,
    beat: pulse.beat,
    runDue: () => jobs.runDue(),
    stop: async () => {
      stopping = true;
      stopWatching();
      pulse.stop();
      const idle = jobs.stop();
      const closed = new Promise<void>((resolve) => http.close(() => resolve()));
      // Closing the transports, not the sockets: clients then reconnect without being told to.
      live.engine.close();
      http.closeIdleConnections();
      const deadline = setTimeout(() => destroyAll(connections), GRACE_MS);
      await Promise.all([closed, idle]);
      clearTimeout(deadline);
    },
  };
}

function listening(http: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen({ port, host, backlog: BACKLOG }, () => {
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

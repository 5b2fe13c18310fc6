import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { addressOf, ipOf, isLoopback } from './client-address.ts';
import { type ConnectionContext, type ConnectionLimits, logTooMany } from './connection-limits.ts';
import { createUsage } from './rate-limits.ts';

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
}

/** The requests of one connection. */
interface Pipeline {
  /** The response of the request under way. */
  current: ServerResponse | null;
  waiting: Exchange[];
}

export interface Pipelines {
  listener: RequestListener;
  /** Whether part of an answer has gone out on a connection. */
  isMidAnswer: (connection: Socket) => boolean;
}

/** Runs tasks, one in each round of the event loop: in a round, Node accepts one new connection. */
function createRounds(): (task: () => void) => void {
  const due: (() => void)[] = [];
  const runOne = (): void => {
    const task = due.shift();
    if (due.length > 0) setImmediate(runOne);
    task?.();
  };
  return (task) => {
    due.push(task);
    if (due.length === 1) setImmediate(runOne);
  };
}

/**
 * Answers the requests of a connection one after the other, each once the answer before it is
 * written. Node would start all of them at once, and a response that still waits for its turn emits
 * no `close` if the connection ends: what it holds would never be released.
 *
 * Also ends a connection on which too many requests wait, and one whose address has too many
 * requests under way.
 */
export function createPipelines(
  answer: RequestListener,
  {
    waiting_requests,
    connections_per_address,
  }: Pick<ConnectionLimits, 'waiting_requests' | 'connections_per_address'>,
  ctx: ConnectionContext,
): Pipelines {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const perAddress = createUsage();

  const runInRound = createRounds();

  const start = (pipeline: Pipeline, { req, res }: Exchange): void => {
    const { socket } = req;
    const address = addressOf(req, ctx.env);
    const isOverLimit = perAddress.add(address) > connections_per_address;
    pipeline.current = res;
    res.once('close', () => {
      perAddress.remove(address);
      if (pipeline.waiting.length > 0) runInRound(() => startNext(pipeline, socket));
      else pipeline.current = null;
    });
    if (isOverLimit && !isLoopback(ipOf(req, ctx.env))) {
      logTooMany(ctx, 'requests', address);
      socket.destroy();
      return;
    }
    answer(req, res);
  };

  const startNext = (pipeline: Pipeline, socket: Socket): void => {
    const next = pipeline.waiting.shift();
    // Without a socket, its answer can't be sent: the one before it asked to close the connection.
    if (socket.destroyed || !next?.res.socket) {
      pipeline.waiting = [];
      return;
    }
    // Node has resumed reading after the answer.
    if (pipeline.waiting.length > 0) socket.pause();
    else socket.resume();
    start(pipeline, next);
  };

  return {
    listener: (req, res) => {
      const { socket } = req;
      // Node parses all requests of a packet, even after one of them ended the connection.
      if (socket.destroyed) return;
      const pipeline = pipelines.get(socket) ?? { current: null, waiting: [] };
      pipelines.set(socket, pipeline);
      if (pipeline.current === null) start(pipeline, { req, res });
      else if (pipeline.waiting.length >= waiting_requests) socket.destroy();
      else {
        pipeline.waiting.push({ req, res });
        socket.pause();
      }
    },
    isMidAnswer: (connection) => pipelines.get(connection)?.current?.headersSent ?? false,
  };
}

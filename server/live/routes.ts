import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ALL_KINDS, isBoardKind } from '../../shared/kinds.ts';
import { roomOf } from '../http/caller.ts';
import { createLogLimit } from '../http/log-limit.ts';
import type { Metrics } from '../http/metrics.ts';
import { routeFor, SENT } from '../http/router.ts';
import { encodeText } from './encoding.ts';
import type { BoardSnapshot, ReadModel } from './read-model.ts';
import type { RecordSources } from './record-kinds.ts';
import { snapshotsInFlight } from './snapshots-in-flight.ts';

const route = routeFor<Sending & { readModel: ReadModel }>();

/** The answer's shape: a list for each kind; those that only admins see are optional. */
export function wholeBoardSchema(sources: RecordSources) {
  const lists = ALL_KINDS.map((kind) => {
    const list = z.array<z.ZodType>(sources[kind].schema);
    return [kind, isBoardKind(kind) ? list : list.exactOptional()] as const;
  });
  return z.object({
    clock: z.number().int().min(0),
    epoch: z.string(),
    snapshot: z.object(Object.fromEntries(lists)),
  });
}

const sendBoard = sendOncePrepared(
  async ({ changed_at, epoch, toJson }) =>
    `{"success":true,"data":{"clock":${changed_at},"epoch":${JSON.stringify(epoch)},"snapshot":${await toJson()}}}`,
);

export const liveRoutes = (sources: RecordSources) => [
  route(
    {
      method: 'get',
      path: '/snapshot',
      access: 'reader',
      summary:
        "Read the whole board in the live protocol's format; clients start with it, then sync from its clock",
      answer: wholeBoardSchema(sources),
    },
    async ({ ctx, caller, req, res }) => {
      await sendBoard(ctx, { req, res }, await ctx.readModel.snapshot(roomOf(caller)));
      return SENT;
    },
  ),
];

/** For answers that hold the whole board. */
export interface Sending {
  log: Pick<Logger, 'info'>;
  metrics: Pick<Metrics, 'disconnects'>;
}

const limitLog = createLogLimit();

function evict({ log, metrics }: Sending, connection: Socket): void {
  if (connection.destroyed) return;
  metrics.disconnects.inc({ why: 'memory' });
  limitLog('memory', (left_out) =>
    log.info(
      { left_out },
      'a download of the board was closed: the snapshots being sent are too large',
    ),
  );
  connection.destroy();
}

const compress = promisify(gzip);

interface Body {
  plain: Promise<Buffer>;
  /** Null until a caller accepts gzip. */
  gzip: Promise<Buffer> | null;
}

interface Exchange {
  req: Request;
  res: Response;
  /** Headers of a successful answer. */
  headers?: Readonly<Record<string, string>>;
}

/**
 * Sends what `write` makes of a snapshot. A whole guild may load the board after one change, so its JSON is written and compressed
 * once, and kept until the records change. If that fails, the next caller tries again.
 * @param write must not use the clock: it advances while the records stay the same
 */
export function sendOncePrepared(
  write: (snapshot: Omit<BoardSnapshot, 'clock'>) => Promise<string>,
): (ctx: Sending, exchange: Exchange, snapshot: BoardSnapshot) => Promise<void> {
  const bodies = new WeakMap<BoardSnapshot['records'], Body>();
  return async (ctx, { req, res, headers = {} }, snapshot) => {
    const body = bodies.get(snapshot.records) ?? {
      plain: write(snapshot).then(encodeText),
      gzip: null,
    };
    bodies.set(snapshot.records, body);
    const isCompressed = req.acceptsEncodings('gzip') === 'gzip';
    if (isCompressed) body.gzip ??= body.plain.then((plain) => compress(plain));
    let bytes: Buffer;
    try {
      bytes = await (isCompressed && body.gzip ? body.gzip : body.plain);
    } catch (error) {
      if (bodies.get(snapshot.records) === body) bodies.delete(snapshot.records);
      throw error;
    }
    if (res.closed) return;
    // Only now: the answer to an error is neither compressed nor cached.
    res.set(headers).vary('Accept-Encoding').type('json');
    if (isCompressed) res.set('Content-Encoding', 'gzip');
    res.once('close', snapshotsInFlight.add(bytes, { destroy: () => evict(ctx, req.socket) }));
    res.send(bytes);
  };
}

import type { Socket } from 'node:net';
import compression from 'compression';
import type { RequestHandler, Response } from 'express';

/** A packer holds about 340 KB until its answer is read to the end, or given up: 34 MB for all of them. */
const MAX_AT_ONCE = 100;
/** Of one connection's answers, which pipelined would take all the places. */
const MAX_OF_ONE = 4;

const asTheyAre = new WeakSet<object>();

/** For what is kept ready to be sent in the form that was asked for, and packed for nobody in particular. */
export function sendAsItIs(res: Response): void {
  asTheyAre.add(res);
}

export interface CompressOptions {
  atOnce?: number;
  ofOne?: number;
  /** Paths whose answers are kept ready: those of a whole guild's refreshes need not be looked at. */
  except?: readonly string[];
}

/**
 * Compresses answers on their way out; while `atOnce` that may be are open, or `ofOne` of the same connection, however
 * slowly read, the next go out as they are.
 */
export function compress({ atOnce = MAX_AT_ONCE, ofOne = MAX_OF_ONE, except = [] }: CompressOptions = {}): RequestHandler {
  let open = 0;
  const openOf = new WeakMap<Socket, number>();
  const ready = new Set(except);
  const pack = compression({
    filter: (req, res) => {
      // What is packed already costs nothing here.
      if (res.hasHeader('Content-Encoding') || asTheyAre.has(res) || !compression.filter(req, res) || res.closed) return false;
      // Or a cache on the way keeps the plain one for everybody.
      res.vary('Accept-Encoding');
      const { socket } = req;
      const own = openOf.get(socket) ?? 0;
      if (open >= atOnce || own >= ofOne) return false;
      open += 1;
      openOf.set(socket, own + 1);
      res.once('close', () => {
        open -= 1;
        openOf.set(socket, (openOf.get(socket) ?? 1) - 1);
      });
      return true;
    },
  });
  return (req, res, next) => (ready.has(req.path) ? next() : pack(req, res, next));
}

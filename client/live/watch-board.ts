import { io, type ManagerOptions, type Socket } from 'socket.io-client';
import {
  type ChangeSet,
  type ClientEvents,
  type HandshakeAuth,
  type Refusal,
  type ServerEvents,
  SILENT_AFTER_MS,
} from '../../shared/live.ts';
import { getWholeBoard } from '../api/calls.ts';
import { LoadError } from '../api/load-error.ts';
import { reportError } from '../api/report-error.ts';
import { endsSession, isSessionCode } from '../api/request.ts';
import { hearBuild } from '../lib/new-build.ts';
import { applyChanges, applySnapshot, setConnection, useBoard } from '../store/board-store.ts';
import { applyPresence, clearPresence } from '../store/presence-store.ts';
import { announceVia } from './announce-choosing.ts';
import { createPoller } from './poller.ts';
import { readBoard } from './read-board.ts';
import { onRefresh } from './refresh.ts';
import { createSilence } from './silence.ts';
import { onWake } from './wake.ts';

/** The landing refresh of the specification, which takes over while the live connection is down. */
const POLL_EVERY_MS = 10_000;
/** A whole guild loses its connections in the same moment: each browser reads the board first at some time within this one. */
const FIRST_POLL_WITHIN_MS = 3_000;
/** A proxy that blocks WebSocket may stay silent: after this long the board is read over REST instead. */
const PATIENCE_MS = 3_000;
const SYNC_TIMEOUT_MS = 15_000;
/** Pauses before connecting anew where Socket.IO does not do so by itself, growing from the first to the last, in milliseconds. */
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;

export interface Watch {
  auth: HandshakeAuth;
  /** The credential does not hold any more. */
  onRefused: (refusal: Refusal) => void;
  /** The connection stands, for the first time or again: what the credential stands for may have changed meanwhile. */
  onConnected?: (isAgain: boolean) => void;
  /** How it connects, where there is no network: a simulated one brings a transport of its own. */
  transports?: NonNullable<ManagerOptions['transports']>;
  /** How long nothing may be heard of the server before its connection counts as lost, in milliseconds. */
  silent_after_ms?: number;
}

/**
 * Keeps the board store equal to the server's board: live while the connection holds, by polling while not.
 * @returns a function that stops watching
 */
export function watchBoard({
  auth,
  onRefused,
  onConnected,
  transports = ['websocket'],
  silent_after_ms = SILENT_AFTER_MS,
}: Watch): () => void {
  const socket: Socket<ServerEvents, ClientEvents> = io({ transports, auth, reconnectionDelayMax: 5_000 });
  /** Change sets that arrive while the answer to `sync` is under way; null when none is. */
  let waiting: ChangeSet[] | null = null;
  let etag: string | null = null;
  let stopped = false;
  /**
   * The next sync asks for the whole board: the one that is here is what somebody else saw, or it was read in parts over
   * REST, which may have left something out, or its clock counts another database's history.
   */
  let wantsAll = true;
  /** The last answer made no board: it was of another history, or its change sets did not fit. */
  let failedOnce = false;
  let pauseMs = FIRST_PAUSE_MS;
  let again: ReturnType<typeof setTimeout> | undefined;

  const stop = (): void => {
    stopped = true;
    clearTimeout(patience);
    clearTimeout(again);
    stopRefreshing();
    stopWaking();
    silence.stop();
    fallback.stop();
    leave();
    socket.disconnect();
    setConnection('connecting');
  };

  /** Nobody is told of each other over a connection that is gone. */
  const leave = (): void => {
    announceVia(null);
    clearPresence();
  };

  const refused = (refusal: Refusal): void => {
    if (stopped) return;
    stop();
    onRefused(refusal);
  };

  const hasBoard = (): boolean => useBoard.getState().status === 'ready' && !wantsAll;

  /** One that cannot be understood must not leave the board as it is, and live: it is read anew. */
  const fits = (set: ChangeSet): boolean => {
    try {
      return applyChanges(set);
    } catch (error) {
      reportError(error);
      wantsAll = true;
      return false;
    }
  };

  /** Reads the whole board by a call of its own, which compresses it to a thirtieth; the live connection does not. */
  const readWhole = async (): Promise<void> => {
    try {
      const board = await getWholeBoard();
      if (stopped) return;
      applySnapshot(board.clock, board.snapshot, board.epoch);
      wantsAll = false;
    } catch (error) {
      reportError(error);
    }
  };
  /** Already under way while the connection is being made: the board may stand before the first change can come. */
  let reading: Promise<void> | null = readWhole();

  /** Asks for what the board lacks: on connecting, when a change set is missing, and when one asks for a snapshot. */
  const sync = (): Promise<void> =>
    synchronise().catch((error) => {
      reportError(error);
      // The board on the screen may be old, and must not be called live. Its listener connects anew, after a pause.
      if (!stopped) socket.disconnect();
    });
  const synchronise = async (): Promise<void> => {
    const mine: ChangeSet[] = [];
    waiting = mine;
    /** A connection that was lost and is back asks anew; what came of the older question is nobody's business. */
    const isOver = (): boolean => stopped || waiting !== mine;
    await reading;
    reading = null;
    if (!isOver() && !hasBoard()) await readWhole();
    if (isOver()) return;
    const { clock, epoch } = useBoard.getState();
    const answer = await socket
      .timeout(SYNC_TIMEOUT_MS)
      .emitWithAck('sync', hasBoard() ? clock : null)
      .catch(() => null);
    if (isOver()) return;
    // Its listener connects anew.
    if (!answer) return void socket.disconnect();
    hearBuild(answer.build);
    if ('snapshot' in answer) {
      applySnapshot(answer.clock, answer.snapshot, answer.epoch);
    } else if (answer.epoch !== epoch) {
      wantsAll = true;
      return syncAgain();
      // While the question was under way the fallback has put its board in the place of the one that was asked for.
    } else if (!hasBoard()) return syncAgain();
    const sets: readonly ChangeSet[] = [...('change_sets' in answer ? answer.change_sets : []), ...mine];
    waiting = null;
    if (!sets.every(fits)) return syncAgain();
    wantsAll = false;
    failedOnce = false;
    pauseMs = FIRST_PAUSE_MS;
    fallback.stop();
    setConnection('live');
    announceVia((choices) => socket.emit('choosing', choices));
  };

  /** Once more at once. Twice in a row something is wrong that takes a while to end, such as calls that lead to another history. */
  const syncAgain = async (): Promise<void> => {
    if (failedOnce) return void socket.disconnect();
    failedOnce = true;
    return sync();
  };

  /** After a refused handshake, and after a disconnection that the server asked for, Socket.IO stays away. */
  const connectAnew = (): void => {
    if (stopped || socket.active) return;
    clearTimeout(again);
    // A part of the pause is chance, so that a whole guild does not come back in the same moment.
    again = setTimeout(() => socket.connect(), pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
  };

  /** Whatever pause Socket.IO, or this page, is in. */
  const connectNow = (): void => {
    socket.disconnect();
    clearTimeout(again);
    socket.connect();
  };

  const fallback = createPoller(async (isStopped) => {
    try {
      const read = await readBoard(etag, auth.admin_token !== undefined, isStopped);
      // A board that was read so lacks what the calls leave out; where it is unchanged, the one that is held stays.
      wantsAll ||= read !== etag;
      etag = read;
      if (!isStopped()) setConnection('polling');
    } catch (error) {
      if (isStopped()) return;
      if (endsSession(error)) refused({ error: error.message, code: error.code, params: error.params });
      else setConnection('offline', error instanceof LoadError ? error : null);
      reportError(error);
    }
  }, POLL_EVERY_MS);

  /** A network that has frozen ends nothing: the board would stay as it is and say that it is live. */
  const silence = createSilence(() => void socket.disconnect(), silent_after_ms);
  let connectedBefore = false;
  socket.on('connect', () => {
    silence.broken();
    socket.io.engine.on('packet', silence.broken);
    onConnected?.(connectedBefore);
    connectedBefore = true;
    void sync();
  });
  socket.on('changes', (set) => {
    if (waiting) {
      waiting.push(set);
    } else if (!fits(set)) {
      wantsAll ||= set.changes.some(({ op }) => op === 'reset');
      void sync();
    }
  });
  socket.on('presence', applyPresence);
  // Whatever else a connection is ended for, the credential holds: it comes back after its pause.
  socket.on('ended', (refusal) => {
    if (isSessionCode(refusal.code)) refused(refusal);
  });
  socket.on('connect_error', (error) => {
    const refusal: Partial<Refusal> = 'data' in error && typeof error.data === 'object' && error.data ? error.data : {};
    if (isSessionCode(refusal.code)) refused({ error: refusal.error ?? '', code: refusal.code, params: refusal.params ?? {} });
    else {
      fallback.start();
      connectAnew();
    }
  });
  socket.on('disconnect', () => {
    silence.stop();
    waiting = null;
    if (stopped) return;
    leave();
    // At once, not when the first reading has ended: until then the board on the screen may be old.
    setConnection('connecting');
    fallback.start(FIRST_POLL_WITHIN_MS);
    connectAnew();
  });
  /** A page that was asleep may hold a connection that is gone, and not know it: the question finds out. */
  const stopRefreshing = onRefresh(() => {
    if (socket.connected) {
      if (!waiting) void sync();
      return;
    }
    fallback.hurry();
    connectNow();
  });
  /** Whatever the connection was, nobody is at its other end any more, and it would take its time to say so. */
  const stopWaking = onWake(connectNow);
  const patience = setTimeout(() => {
    if (useBoard.getState().connection !== 'live') fallback.start();
  }, PATIENCE_MS);

  return stop;
}

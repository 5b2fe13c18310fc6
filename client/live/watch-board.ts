import { io, type ManagerOptions, type Socket } from 'socket.io-client';
import type { Room } from '../../shared/kinds.ts';
import { type ClientEvents, type HandshakeAuth, type Refusal, type ServerEvents, SILENT_AFTER_MS } from '../../shared/live.ts';
import { LoadError } from '../api/load-error.ts';
import { reportError } from '../api/report-error.ts';
import { endsSession, isSessionCode } from '../api/request.ts';
import { markBoardFresh, startBoardAge, stopBoardAge } from '../state/board-age.ts';
import { setConnection, useBoard } from '../state/board-store.ts';
import { applyPresence, clearPresence } from '../state/presence-store.ts';
import { announceVia } from './announce-choosing.ts';
import { createPoller } from './poller.ts';
import { onRefresh } from './refresh.ts';
import { createSync } from './sync-board.ts';
import { onWake } from './wake.ts';

/** The landing refresh of the specification, which takes over while the live connection is down. */
const POLL_EVERY_MS = 10_000;
/** A whole guild loses its connections in the same moment: each browser reads the board first at some time within this one. */
const FIRST_POLL_WITHIN_MS = 3_000;
/** A proxy that blocks WebSocket may stay silent: after this long the board is read over REST instead. */
const PATIENCE_MS = 3_000;
const SYNC_TIMEOUT_MS = 15_000;
/** Back-off where Socket.IO doesn't reconnect, in milliseconds. */
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;

export interface Watch {
  auth: HandshakeAuth;
  /** What the credential shows; unless said otherwise an admin's token all. */
  room?: Room;
  /** The credential does not hold any more. */
  onRefused: (refusal: Refusal) => void;
  /** The connection stands, for the first time or again: what the credential stands for may have changed meanwhile. */
  onConnected?: (isAgain: boolean) => void;
  /** How it connects, where there is no network: a simulated one brings a transport of its own. */
  transports?: NonNullable<ManagerOptions['transports']>;
  /** Silence after which the connection counts as lost, in milliseconds. */
  silent_after_ms?: number;
}

/**
 * Keeps the board store equal to the server's board: live while the connection holds, by polling while not.
 * @returns a function that stops watching
 */
export function watchBoard({
  auth,
  room = auth.admin_token === undefined ? 'members' : 'admins',
  onRefused,
  onConnected,
  transports = ['websocket'],
  silent_after_ms = SILENT_AFTER_MS,
}: Watch): () => void {
  const socket: Socket<ServerEvents, ClientEvents> = io({ transports, auth, reconnectionDelayMax: 5_000 });
  let stopped = false;
  let pauseMs = FIRST_PAUSE_MS;
  let again: ReturnType<typeof setTimeout> | undefined;

  const stop = (): void => {
    stopped = true;
    board.stop();
    clearTimeout(patience);
    clearTimeout(again);
    stopRefreshing();
    stopWaking();
    silence.stop();
    fallback.stop();
    stopBoardAge();
    leave();
    socket.disconnect();
    setConnection('connecting');
  };

  /** No presence without a connection. */
  const leave = (): void => {
    announceVia(null);
    clearPresence();
  };

  const refused = (refusal: Refusal): void => {
    if (stopped) return;
    stop();
    onRefused(refusal);
  };

  /** Socket.IO doesn't reconnect after a refused handshake or a disconnect by the server. */
  const connectAnew = (): void => {
    if (stopped || socket.active) return;
    clearTimeout(again);
    // Jitter, so that a guild doesn't reconnect at once.
    again = setTimeout(() => socket.connect(), pauseMs * (0.5 + Math.random()));
    pauseMs = Math.min(pauseMs * 2, LAST_PAUSE_MS);
  };

  /** Whatever pause Socket.IO, or this page, is in. */
  const connectNow = (): void => {
    socket.disconnect();
    clearTimeout(again);
    socket.connect();
  };

  const board = createSync({
    ask: (clock) =>
      socket
        .timeout(SYNC_TIMEOUT_MS)
        .emitWithAck('sync', clock)
        .catch(() => null),
    onSynced: () => {
      pauseMs = FIRST_PAUSE_MS;
      fallback.stop();
      setConnection('live');
      markBoardFresh();
      announceVia((choices) => socket.emit('choosing', choices));
    },
    // Its listener connects anew, after a pause.
    onLost: () => void socket.disconnect(),
  });

  const fallback = createPoller(async (isStopped) => {
    try {
      await board.readByCalls(room, isStopped);
      if (isStopped()) return;
      markBoardFresh();
      setConnection('polling');
    } catch (error) {
      if (isStopped()) return;
      if (endsSession(error)) refused({ error: error.message, code: error.code, params: error.params });
      else setConnection('offline', error instanceof LoadError ? error : null);
      reportError(error);
    }
  }, POLL_EVERY_MS);

  /** A network that has frozen ends nothing: the board would stay as it is and say that it is live. */
  const silence = createSilence(() => void socket.disconnect(), silent_after_ms);
  /** Any packet, heartbeats included, proves that the live board is current. */
  const onPacket = (): void => {
    silence.broken();
    if (useBoard.getState().connection === 'live' && !board.isAsking()) markBoardFresh();
  };
  let connectedBefore = false;
  startBoardAge();
  socket.on('connect', () => {
    silence.broken();
    socket.io.engine.on('packet', onPacket);
    onConnected?.(connectedBefore);
    connectedBefore = true;
    void board.sync();
  });
  socket.on('changes', board.hear);
  socket.on('presence', applyPresence);
  // For any other reason the credential is still valid: reconnect after the pause.
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
    board.forget();
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
      if (!board.isAsking()) void board.sync();
      return;
    }
    fallback.hurry();
    connectNow();
  });
  /** After sleep the connection is dead, and a timeout would take long to notice. */
  const stopWaking = onWake(connectNow);
  const patience = setTimeout(() => {
    if (useBoard.getState().connection !== 'live') fallback.start();
  }, PATIENCE_MS);

  return stop;
}

interface Silence {
  /** Restarts the time. */
  broken: () => void;
  stop: () => void;
}

/** Calls `onSilence` after so many milliseconds without a packet; starts with the first one. */
function createSilence(onSilence: () => void, after_ms: number): Silence {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    broken: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, after_ms);
    },
    stop: () => clearTimeout(timer),
  };
}

import { io, type ManagerOptions, type Socket } from 'socket.io-client';
import type { Room } from '../../shared/kinds.ts';
import {
  type ClientEvents,
  type HandshakeAuth,
  type Refusal,
  type ServerEvents,
  SILENT_AFTER_MS,
} from '../../shared/live.ts';
import { LoadError } from '../api/load-error.ts';
import { reportError } from '../api/report-error.ts';
import { endsSession, isSessionCode } from '../api/request.ts';
import { confirmBoard, startStaleTimer, stopStaleTimer } from '../state/board-freshness.ts';
import { applyOwnRecords, setConnection, useBoard } from '../state/board-store.ts';
import { applyOnline, clearOnline } from '../state/online.ts';
import { applyPresence, clearPresence } from '../state/presence-store.ts';
import { applyStars } from '../state/stars.ts';
import { announceVia } from './announce-choosing.ts';
import { applyClaimsOf, applyMissedOf } from './outside-claims.ts';
import { createPoller } from './poller.ts';
import { onRefresh } from './refresh.ts';
import { createSync } from './sync-board.ts';
import { onWake } from './wake.ts';

/** Polling while the live connection is down, at the interval that the specification sets. */
const POLL_EVERY_MS = 10_000;
/** All clients lose their connection at once. Each waits a random time up to this before its first poll. */
const FIRST_POLL_JITTER_MS = 3_000;
/** A proxy that blocks WebSocket may never answer. Without a connection after this long, start polling. */
const CONNECT_TIMEOUT_MS = 3_000;
const SYNC_TIMEOUT_MS = 15_000;
/** Back-off where Socket.IO doesn't reconnect, in milliseconds. */
const FIRST_RECONNECT_DELAY_MS = 500;
const MAX_RECONNECT_DELAY_MS = 10_000;

export interface Watch {
  auth: HandshakeAuth;
  /** The room that the credential allows. By default, an admin token allows `admins`. */
  room?: Room;
  /** The credential is no longer valid. */
  onRefused: (refusal: Refusal) => void;
  /** On the first connection and each reconnection. Role or member type may have changed in between. */
  onConnected?: (isAgain: boolean) => void;
  /** Replaced in tests, which simulate the network. */
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
  const socket: Socket<ServerEvents, ClientEvents> = io({
    transports,
    auth,
    reconnectionDelayMax: 5_000,
  });
  let stopped = false;
  let reconnectDelayMs = FIRST_RECONNECT_DELAY_MS;
  let reconnectTimer: ReturnType<typeof setTimeout> | undefined;

  const stop = (): void => {
    stopped = true;
    boardSync.stop();
    clearTimeout(connectTimeout);
    clearTimeout(reconnectTimer);
    stopRefreshing();
    stopWaking();
    silenceTimer.stop();
    poller.stop();
    stopStaleTimer();
    forgetPresence();
    socket.disconnect();
    setConnection('connecting');
  };

  const forgetPresence = (): void => {
    announceVia(null);
    clearPresence();
    clearOnline();
  };

  const endWith = (refusal: Refusal): void => {
    if (stopped) return;
    stop();
    onRefused(refusal);
  };

  /** Socket.IO doesn't reconnect after a refused handshake or a disconnect by the server. */
  const reconnectLater = (): void => {
    if (stopped || socket.active) return;
    clearTimeout(reconnectTimer);
    // Jitter, so that a guild doesn't reconnect at once.
    reconnectTimer = setTimeout(() => socket.connect(), reconnectDelayMs * (0.5 + Math.random()));
    reconnectDelayMs = Math.min(reconnectDelayMs * 2, MAX_RECONNECT_DELAY_MS);
  };

  /** Skips the current back-off. */
  const connectNow = (): void => {
    socket.disconnect();
    clearTimeout(reconnectTimer);
    socket.connect();
  };

  const boardSync = createSync({
    ask: (clock) =>
      socket
        .timeout(SYNC_TIMEOUT_MS)
        .emitWithAck('sync', clock)
        .catch(() => null),
    onSynced: () => {
      reconnectDelayMs = FIRST_RECONNECT_DELAY_MS;
      poller.stop();
      setConnection('live');
      confirmBoard();
      announceVia((choices) => socket.emit('choosing', choices));
    },
    // The `disconnect` listener reconnects.
    onLost: () => void socket.disconnect(),
  });

  const poller = createPoller(async (isStopped) => {
    try {
      await boardSync.readByCalls(room, isStopped);
      if (isStopped()) return;
      confirmBoard();
      setConnection('polling');
    } catch (error) {
      if (isStopped()) return;
      if (endsSession(error))
        endWith({ error: error.message, code: error.code, params: error.params });
      else setConnection('offline', error instanceof LoadError ? error : null);
      reportError(error);
    }
  }, POLL_EVERY_MS);

  /** A dead network doesn't close the socket: without this, a stale board would still be shown as live. */
  const silenceTimer = createSilenceTimer(() => void socket.disconnect(), silent_after_ms);
  /** Any packet, heartbeats included, proves that the live board is current. */
  const onPacket = (): void => {
    silenceTimer.restart();
    if (useBoard.getState().connection === 'live' && !boardSync.isAsking()) confirmBoard();
  };
  let connectedBefore = false;
  startStaleTimer();
  socket.on('connect', () => {
    silenceTimer.restart();
    socket.io.engine.on('packet', onPacket);
    onConnected?.(connectedBefore);
    connectedBefore = true;
    void boardSync.sync();
  });
  socket.on('changes', boardSync.receive);
  socket.on('presence', applyPresence);
  socket.on('online', applyOnline);
  socket.on('own', (own) => {
    applyOwnRecords(own);
    if (auth.access_key === undefined) return;
    applyStars(auth.access_key, own.stars);
    applyClaimsOf(auth.access_key, own.claims);
    applyMissedOf(auth.access_key, own.missed);
  });
  // For any other reason the credential is still valid: reconnect after the pause.
  socket.on('ended', (refusal) => {
    if (isSessionCode(refusal.code)) endWith(refusal);
  });
  socket.on('connect_error', (error) => {
    const refusal: Partial<Refusal> =
      'data' in error && typeof error.data === 'object' && error.data ? error.data : {};
    if (isSessionCode(refusal.code))
      endWith({ error: refusal.error ?? '', code: refusal.code, params: refusal.params ?? {} });
    else {
      poller.start();
      reconnectLater();
    }
  });
  socket.on('disconnect', () => {
    silenceTimer.stop();
    boardSync.forget();
    if (stopped) return;
    forgetPresence();
    // Right away: the board may be stale until the first poll has succeeded.
    setConnection('connecting');
    poller.start(FIRST_POLL_JITTER_MS);
    reconnectLater();
  });
  /** After a refresh, a sync also detects a dead connection. */
  const stopRefreshing = onRefresh(() => {
    if (socket.connected) {
      if (!boardSync.isAsking()) void boardSync.sync();
      return;
    }
    poller.pollNow();
    connectNow();
  });
  /** After sleep the connection is dead, and a timeout would take long to notice. */
  const stopWaking = onWake(connectNow);
  const connectTimeout = setTimeout(() => {
    if (useBoard.getState().connection !== 'live') poller.start();
  }, CONNECT_TIMEOUT_MS);

  return stop;
}

interface SilenceTimer {
  restart: () => void;
  stop: () => void;
}

function createSilenceTimer(onSilence: () => void, after_ms: number): SilenceTimer {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(onSilence, after_ms);
    },
    stop: () => clearTimeout(timer),
  };
}

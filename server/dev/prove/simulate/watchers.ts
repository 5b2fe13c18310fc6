import { io } from 'socket.io-client';
import type { Board, HandshakeAuth, Refusal } from '../../../../shared/live.ts';
import { BoardWatcher } from '../../test/board-watcher.ts';
import { type Line, transportOver } from './line.ts';

/** A client whose board must equal the server's. */
export interface Watching {
  name: string;
  /** Whose key it is; null: an admin. */
  who: string | null;
  connect: () => void;
  /** Reconnects, also when it is connected. `forget`: as a new client without a board. */
  comeBack: (forget: boolean) => void;
  /** Its board while its connection is healthy and idle; null otherwise. */
  board: () => Board | null;
  /** Its newest connection. */
  line: () => Line | null;
  /** Messages wait from now on, or travel again. */
  hold: (on: boolean) => void;
  isHeld: () => boolean;
  /** Why the server refused it last. */
  refusal: () => string | null;
  stop: () => void;
}

export interface WatchingOptions {
  name: string;
  who: string | null;
  /** Its credential for the handshake, when requested. */
  auth: () => HandshakeAuth;
  dial: () => Line;
}

/** A client that follows the protocol and connects on request. */
export function watchByTheBook({ name, who, auth, dial }: WatchingOptions): Watching {
  let line: Line | null = null;
  let isHeld = false;
  let version = '';
  let watcher: BoardWatcher | null = null;
  let refusal: string | null = null;
  const dialHeld = (): Line => {
    line = dial();
    line.isHeld = isHeld;
    return line;
  };
  const open = (url: string, shownAuth: HandshakeAuth) =>
    io(url, {
      transports: [transportOver(dialHeld)],
      auth: shownAuth,
      forceNew: true,
      reconnection: false,
    });
  const comeBack = (forget: boolean): void => {
    const now = JSON.stringify(auth());
    watcher?.disconnect();
    if (!watcher || now !== version || forget)
      watcher = new BoardWatcher('http://claimboard.test', auth(), open);
    version = now;
    refusal = null;
    watcher.connect().catch((error: Error & { data?: Refusal }) => {
      refusal = error.data?.code ?? error.message;
    });
  };
  return {
    name,
    who,
    connect: () => {
      if (!line || line.isOver) comeBack(false);
    },
    comeBack,
    board: () =>
      watcher && line && !line.isOver && !line.isAsking && !isHeld ? watcher.board : null,
    line: () => line,
    hold: (on) => {
      isHeld = on;
      if (line) line.isHeld = on;
    },
    isHeld: () => isHeld,
    refusal: () => refusal,
    stop: () => watcher?.disconnect(),
  };
}

import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** What a live server does also where nobody comes, as hearing other servers anew, is put off no longer than this, in milliseconds. */
const LOAD_AFTER_MS = 500;

/** What listens for upgrades, as far as it is ended here. */
export interface Live {
  engine: { close: () => unknown };
}

export interface LiveLater {
  /** Ends the live connections, and takes no more. */
  stop: () => Promise<void>;
}

/**
 * Serves live connections by what is loaded when the first of them comes, or a moment after the start: it is a fifth of all
 * that a start would load, and no page asks for it before it has been served itself. Whoever comes while it loads waits.
 * @param load resolves to what makes the live server, which listens for upgrades itself from then on
 * @param failed is told why it could not be loaded; for whoever comes next it is tried again
 */
export function serveLiveLater(
  http: HttpServer,
  load: () => Promise<() => Live>,
  failed: (error: unknown) => void,
  afterMs = LOAD_AFTER_MS,
): LiveLater {
  const held: [IncomingMessage, Socket, Buffer][] = [];
  let loading: Promise<Live | null> | null = null;
  let isStopped = false;
  const endHeld = (): void => {
    for (const [, socket] of held.splice(0)) socket.destroy();
  };

  const begin = async (): Promise<Live | null> => {
    try {
      const serve = await load();
      if (isStopped) return null;
      const live = serve();
      http.off('upgrade', hold);
      for (const upgrade of held.splice(0)) http.emit('upgrade', ...upgrade);
      return live;
    } catch (error) {
      loading = null;
      endHeld();
      failed(error);
      return null;
    }
  };
  const beginOnce = (): void => {
    loading ??= begin();
  };
  const hold = (...upgrade: [IncomingMessage, Socket, Buffer]): void => {
    held.push(upgrade);
    if (isStopped) endHeld();
    else beginOnce();
  };

  http.on('upgrade', hold);
  const timer = setTimeout(beginOnce, afterMs).unref();
  return {
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      endHeld();
      const live = await loading;
      // Closing the transports, not the sockets: those clients connect anew by themselves.
      live?.engine.close();
    },
  };
}

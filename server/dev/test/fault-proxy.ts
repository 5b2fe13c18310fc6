import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/**
 * `pass`: all goes through. `swallow`: connections are taken, and nothing that either side says arrives any more.
 * `cut`: connections are reset, and new ones too.
 */
type FaultMode = 'pass' | 'swallow' | 'cut';

export interface FaultProxy {
  /** The same address with the proxy in between. */
  url: string;
  /**
   * Connections that lived through `swallow` stay silent for good, as after a router forgot them, unless they are
   * `kept`: then the delayed bytes go through, as after SIGSTOP and SIGCONT.
   */
  become: (mode: FaultMode, options?: { kept?: boolean }) => void;
  /** Becomes silent once a client has sent this text, before or after forwarding it. */
  swallowAt: (text: string, when: 'before' | 'after') => void;
  close: () => Promise<void>;
}

/** PostgreSQL's may be a folder with its socket. */
function addressOf({ hostname, port }: URL): NetConnectOpts {
  const host = decodeURIComponent(hostname);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}

/** A proxy before a server, such as PostgreSQL, that simulates network faults. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const address = addressOf(new URL(target));
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  const local = new WeakSet<Socket>();
  let mode: FaultMode = 'pass';

  const own = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    return socket.once('close', () => sockets.delete(socket));
  };
  let trigger: { text: string; when: 'before' | 'after' } | null = null;
  const join = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      const fault = trigger && chunk.includes(trigger.text) ? trigger.when : null;
      if (fault !== 'before') to.write(chunk);
      if (!fault) return;
      trigger = null;
      become('swallow');
    });
    from.once('close', () => !held.has(to) && to.destroy());
  };
  const cut = (socket: Socket): void => {
    // Only TCP knows a reset. Towards PostgreSQL an end is as good.
    if (local.has(socket)) socket.destroy();
    else socket.resetAndDestroy();
  };
  const hold = (socket: Socket): void => {
    held.add(socket);
    socket.pause();
  };

  const become: FaultProxy['become'] = (next, { kept = false } = {}) => {
    mode = next;
    if (next === 'swallow') for (const socket of sockets) hold(socket);
    if (next === 'cut') for (const socket of sockets) cut(socket);
    if (next !== 'pass' || !kept) return;
    for (const socket of held) socket.resume();
    held.clear();
  };

  const server = createServer((near) => {
    own(near);
    if (mode === 'cut') return void near.resetAndDestroy();
    const far = own(connect(address));
    if ('path' in address) local.add(far);
    join(near, far);
    join(far, near);
    if (mode === 'swallow') for (const each of [near, far]) hold(each);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const listening = server.address();
  const url = new URL(target);
  url.host = `127.0.0.1:${listening && typeof listening === 'object' ? listening.port : 0}`;

  return {
    url: url.href,
    become,
    swallowAt: (text, when) => {
      trigger = { text, when };
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

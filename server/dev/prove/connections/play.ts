import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Script } from './script.ts';

/** Resolves with data or at the end, up to the first of both. */
const nextMessage = (socket: Socket): Promise<unknown> => {
  if (socket.destroyed) return Promise.resolve();
  const quiet = new AbortController();
  const { signal } = quiet;
  // A request cut in half is never answered: the test would wait for the server's timeouts, which the runs shorten.
  const turns = async (): Promise<void> => {
    for (let i = 0; i < 50 && !signal.aborted; i++) await setImmediate();
  };
  return Promise.race([
    once(socket, 'data', { signal }),
    once(socket, 'close', { signal }),
    turns(),
  ]).finally(() => quiet.abort());
};

/**
 * Plays a script against a server.
 * @returns the connection, which is open still where the script says so
 */
export async function play(port: number, { pieces, pace, reads, ending }: Script): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.setMaxListeners(0);
  socket.on('error', () => socket.destroy());
  await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
  if (reads) socket.resume();
  for (const piece of pieces) {
    if (socket.destroyed) return socket;
    socket.write(piece);
    if (pace === 'answer' && reads) await nextMessage(socket).catch(() => {});
    else if (pace !== 'none') await setImmediate();
  }
  if (ending === 'reset') socket.resetAndDestroy();
  else if (ending === 'destroy') socket.destroy();
  else if (ending === 'fin') socket.end();
  return socket;
}

import { onTestFinished } from 'vitest';
import type { ChangeSet, HandshakeAuth, Refusal } from '../../shared/live.ts';
import { BoardWatcher, dial, type LiveSocket } from './board-watcher.ts';

/** A live connection without a board behind it; gone when the test has finished. */
export function connect(url: string, auth: HandshakeAuth): LiveSocket {
  const socket = dial(url, auth);
  onTestFinished(() => {
    socket.disconnect();
  });
  return socket;
}

export const nextChanges = (socket: LiveSocket): Promise<ChangeSet> => new Promise((resolve) => socket.once('changes', resolve));
export const ended = (socket: LiveSocket): Promise<Refusal> => new Promise((resolve) => socket.once('ended', resolve));

/** Someone who watches for as long as a test runs. */
export class Watcher extends BoardWatcher {
  constructor(url: string, auth: HandshakeAuth) {
    super(url, auth, connect);
  }
}

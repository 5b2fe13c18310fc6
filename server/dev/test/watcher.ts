import { onTestFinished } from 'vitest';
import {
  type ChangeSet,
  type ChangesMessage,
  changeSetsIn,
  type HandshakeAuth,
  type Refusal,
} from '../../../shared/live.ts';
import { BoardWatcher, dial, type LiveSocket } from './board-watcher.ts';

/** A live connection without a board behind it; gone when the test has finished. */
export function connect(url: string, auth: HandshakeAuth): LiveSocket {
  const socket = dial(url, auth);
  onTestFinished(() => {
    socket.disconnect();
  });
  return socket;
}

/** The first change set of the next message. @throws Error when the message holds none */
export async function nextChanges(socket: LiveSocket): Promise<ChangeSet> {
  const message = await new Promise<ChangesMessage>((resolve) => socket.once('changes', resolve));
  const [first] = changeSetsIn(message);
  if (!first) throw new Error('a message without change sets');
  return first;
}
export const ended = (socket: LiveSocket): Promise<Refusal> =>
  new Promise((resolve) => socket.once('ended', resolve));

/** Someone who watches for as long as a test runs. */
export class Watcher extends BoardWatcher {
  constructor(url: string, auth: HandshakeAuth) {
    super(url, auth, connect);
  }
}

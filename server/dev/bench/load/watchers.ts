import { WebSocket } from 'ws';
import { changeSetsIn } from '../../../../shared/live.ts';
import { keyOf } from '../numbered-claim.ts';
import { ask } from './poster.ts';

/** One key may have 50 live connections: so many watchers hold different ones. */
const KEYS_OF_WATCHERS = 500;
/** After a connection broke, in milliseconds: as little as a browser waits. */
const AGAIN_AFTER_MS = 1_000;

/** A live connection as the protocol has it, with nothing behind it: the load's own work must stay small. */
interface Watcher {
  socket: WebSocket;
  /** Called with each message of changes. */
  onChange: ((message: Buffer) => void) | null;
  onSynced: (() => void) | null;
  /** Called when the connection is closed. */
  onGone: ((error: Error) => void) | null;
}

export interface Crowd {
  url: string;
  watchers: Watcher[];
  /** Connections that broke while they were being opened, and were tried again. */
  resets: number;
  /** Who asks for the whole board next: the server answers each of them a few times a minute. */
  nextToSync: number;
}

interface Arrival {
  url: string;
  /** Of the watcher, which shows that key. */
  n: number;
  /** Its clock; `connected`: it asks for nothing. */
  sync: number | null | 'connected';
}

/** Opens a connection, shows the key, and syncs. @throws Error when the connection breaks before */
function arrive({ url, n, sync }: Arrival): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
    });
    const watcher: Watcher = { socket, onChange: null, onSynced: null, onGone: reject };
    socket.on('error', reject);
    socket.on('close', (code) => watcher.onGone?.(new Error(`a live connection was closed: ${code}`)));
    socket.on('message', (data: Buffer) => {
      const begin = data.toString('latin1', 0, 12);
      if (begin === '42["changes"') watcher.onChange?.(data);
      else if (begin === '2') socket.send('3');
      else if (begin.startsWith('43')) watcher.onSynced?.();
      else if (begin.startsWith('44')) reject(new Error(`a live connection was refused: ${String(data)}`));
      else if (begin.startsWith('40')) {
        watcher.onSynced = () => resolve(watcher);
        if (sync === 'connected') resolve(watcher);
        else askForBoard(watcher, sync);
      } else if (begin.startsWith('0')) socket.send(`40${JSON.stringify({ access_key: keyOf(n % KEYS_OF_WATCHERS) })}`);
    });
  });
}

const askForBoard = ({ socket }: Watcher, clock: number | null): void => socket.send(`420["sync",${clock}]`);

/** All at once; each comes again after a while when its connection broke. */
async function gather({ url, count, arrival }: { url: string; count: number; arrival: (n: number) => Promise<Watcher> }): Promise<Crowd> {
  const crowd: Crowd = { url, watchers: [], resets: 0, nextToSync: 0 };
  const come = async (n: number): Promise<void> => {
    try {
      crowd.watchers.push(await arrival(n));
    } catch (error) {
      if (error instanceof Error && error.message.includes('refused: ')) throw error;
      crowd.resets += 1;
      await new Promise((done) => setTimeout(done, AGAIN_AFTER_MS));
      await come(n);
    }
  };
  await Promise.all(Array.from({ length: count }, (_, n) => come(n)));
  return crowd;
}

/** Whoever opens the board for the first time is told all of it live, as clients of other makers are. */
export const openCrowd = (url: string, count: number, sync: Arrival['sync']): Promise<Crowd> =>
  gather({ url, count, arrival: (n) => arrive({ url, n, sync }) });

/** As the page begins: the board over HTTP, packed, then live from its clock. `clock` is everyone's: unpacking is a browser's work. */
export const comeBack = (url: string, count: number, clock: number): Promise<Crowd> =>
  gather({
    url,
    count,
    arrival: async (n) => {
      const headers = { 'x-access-key': keyOf(n % KEYS_OF_WATCHERS), 'accept-encoding': 'gzip' };
      const { status } = await ask(`${url}/api/snapshot`, { headers, keep: false });
      if (status !== 200) throw new Error(`refused: a snapshot was answered ${status}`);
      return arrive({ url, n, sync: clock });
    },
  });

export function closeCrowd({ watchers }: Crowd): Promise<void> {
  const gone = watchers.map(({ socket }) => new Promise<void>((done) => socket.once('close', () => done())));
  for (const watcher of watchers) {
    watcher.onGone = null;
    watcher.socket.terminate();
  }
  return Promise.all(gone).then(() => {});
}

/**
 * One change, until the last of the crowd has it.
 * @param post makes it, and resolves when it is answered
 * @param syncing so many of the crowd ask for the whole board at the same moment
 */
export async function tellAll(
  crowd: Crowd,
  post: () => Promise<unknown>,
  syncing: number,
): Promise<{ answered_ms: number; last_ms: number; bytes: number }> {
  const { watchers } = crowd;
  const asking = Array.from({ length: syncing }, () => watchers[crowd.nextToSync++ % watchers.length]).filter(
    (watcher) => watcher !== undefined,
  );
  const synced = asking.map(
    (watcher) =>
      new Promise<void>((done) => {
        watcher.onSynced = done;
        askForBoard(watcher, null);
      }),
  );
  const since = performance.now();
  let [last_ms, bytes, missing] = [0, 0, watchers.length];
  const told = new Promise<void>((done) => {
    const hear = (watcher: Watcher, length: number): void => {
      watcher.onChange = null;
      bytes = length;
      missing -= 1;
      if (missing > 0) return;
      last_ms = performance.now() - since;
      done();
    };
    for (const watcher of watchers) watcher.onChange = ({ length }) => hear(watcher, length);
  });
  const gone = new Promise<never>((_, reject) => {
    for (const watcher of watchers) watcher.onGone = reject;
  });
  await Promise.race([post(), gone]);
  const answered_ms = performance.now() - since;
  await Promise.race([Promise.all([told, ...synced]), gone]);
  return { answered_ms, last_ms, bytes };
}

/** What a crowd was sent from one moment on. */
interface Followed {
  /** Connections that were closed. */
  gone: number;
  /** Messages in which a change set was missing, or which asked to load anew. */
  gaps: number;
  /** Messages that the watcher with most of them was sent. */
  messages: number;
  /** When the last watcher had the last change, by `Date.now()`: another process reads it. */
  at: number;
}

export interface Following {
  /** Resolves when every watcher that is left has a clock. */
  reached: (clock: number) => Promise<Followed>;
}

/** Follows the clock of each of a crowd, from here on. */
export function follow({ watchers }: Crowd): Following {
  const clocks = new Map<Watcher, number>(watchers.map((watcher) => [watcher, 0]));
  const messages = new Map<Watcher, number>();
  const followed: Followed = { gone: 0, gaps: 0, messages: 0, at: 0 };
  let look = (): void => {};
  // All are sent the same bytes one after another: they are read once.
  let text = Buffer.from('');
  let last = { from: 0, until: 0, isReset: false };
  for (const watcher of watchers) {
    watcher.onChange = (message) => {
      if (!message.equals(text)) {
        text = Buffer.from(message);
        last = clocksOf(message);
      }
      const before = clocks.get(watcher) ?? 0;
      if (last.isReset || (before > 0 && last.from > before + 1)) followed.gaps += 1;
      clocks.set(watcher, Math.max(before, last.until));
      messages.set(watcher, (messages.get(watcher) ?? 0) + 1);
      look();
    };
    watcher.onGone = () => {
      followed.gone += 1;
      clocks.delete(watcher);
      look();
    };
  }
  return {
    reached: (clock) =>
      new Promise((resolve) => {
        const waiting = new Set([...clocks.keys()]);
        look = () => {
          for (const watcher of waiting) {
            if ((clocks.get(watcher) ?? clock) < clock) return;
            waiting.delete(watcher);
          }
          look = () => {};
          resolve({ ...followed, messages: Math.max(0, ...messages.values()), at: Date.now() });
        };
        look();
      }),
  };
}

const CHANGES = '42["changes",'.length;

function clocksOf(message: Buffer): { from: number; until: number; isReset: boolean } {
  const sets = changeSetsIn(JSON.parse(message.toString('utf8', CHANGES, message.length - 1)));
  const isReset = sets.some(({ changes }) => changes.some(({ op }) => op === 'reset'));
  return { from: sets[0]?.clock ?? 0, until: sets.at(-1)?.clock ?? 0, isReset };
}

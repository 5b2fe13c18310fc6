import { WebSocket } from 'ws';
import { changeSetsIn } from '../../../../shared/live.ts';
import { keyOf } from '../numbered-claim.ts';
import { ask } from './poster.ts';

/** A key may have 50 live connections, so the watchers share this many keys. */
const KEYS_OF_WATCHERS = 500;
/** Reconnect this long after a broken connection, in milliseconds, as a browser does. */
const AGAIN_AFTER_MS = 1_000;

/** A live connection without a client library, which would cost the load generator too much. */
interface Watcher {
  socket: WebSocket;
  /** Called with each `changes` message. */
  onChange: ((message: Buffer) => void) | null;
  onSynced: (() => void) | null;
  /** Called when the connection closes. */
  onGone: ((error: Error) => void) | null;
}

export interface Crowd {
  url: string;
  watchers: Watcher[];
  /** Connections that broke while opening and were retried. */
  resets: number;
  /** The watcher that asks for a snapshot next: the server allows each a few a minute. */
  nextToSync: number;
}

interface Arrival {
  url: string;
  /** The watcher's number, which selects its key. */
  n: number;
  /** The clock to sync from; `connected`: don't sync. */
  sync: number | null | 'connected';
}

/** Connects, authenticates and syncs. @throws Error if the connection breaks before */
function arrive({ url, n, sync }: Arrival): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(
      `${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`,
      {
        perMessageDeflate: false,
        skipUTF8Validation: true,
      },
    );
    const watcher: Watcher = { socket, onChange: null, onSynced: null, onGone: reject };
    socket.on('error', reject);
    socket.on('close', (code) =>
      watcher.onGone?.(new Error(`a live connection was closed: ${code}`)),
    );
    socket.on('message', (data: Buffer) => {
      const begin = data.toString('latin1', 0, 12);
      if (begin === '42["changes"') watcher.onChange?.(data);
      else if (begin === '2') socket.send('3');
      else if (begin.startsWith('43')) watcher.onSynced?.();
      else if (begin.startsWith('44'))
        reject(new Error(`a live connection was refused: ${String(data)}`));
      else if (begin.startsWith('40')) {
        watcher.onSynced = () => resolve(watcher);
        if (sync === 'connected') resolve(watcher);
        else askForBoard(watcher, sync);
      } else if (begin.startsWith('0'))
        socket.send(`40${JSON.stringify({ access_key: keyOf(n % KEYS_OF_WATCHERS) })}`);
    });
  });
}

const askForBoard = ({ socket }: Watcher, clock: number | null): void =>
  socket.send(`420["sync",${clock}]`);

/** Connects all at once; retries broken connections. */
async function gather({
  url,
  count,
  arrival,
}: {
  url: string;
  count: number;
  arrival: (n: number) => Promise<Watcher>;
}): Promise<Crowd> {
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

/** Syncs over the live connection only. */
export const openCrowd = (url: string, count: number, sync: Arrival['sync']): Promise<Crowd> =>
  gather({ url, count, arrival: (n) => arrive({ url, n, sync }) });

/** As a page does: the compressed board over HTTP, then live. All use the same `clock`, so nothing has to be decompressed. */
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
  const gone = watchers.map(
    ({ socket }) => new Promise<void>((done) => socket.once('close', () => done())),
  );
  for (const watcher of watchers) {
    watcher.onGone = null;
    watcher.socket.terminate();
  }
  return Promise.all(gone).then(() => {});
}

/**
 * Makes one change and waits until every watcher has it.
 * @param post makes the change; resolves with its response
 * @param syncing this many watchers ask for a snapshot at the same time
 */
export async function tellAll(
  crowd: Crowd,
  post: () => Promise<unknown>,
  syncing: number,
): Promise<{ answered_ms: number; last_ms: number; bytes: number }> {
  const { watchers } = crowd;
  const asking = Array.from(
    { length: syncing },
    () => watchers[crowd.nextToSync++ % watchers.length],
  ).filter((watcher) => watcher !== undefined);
  const synced = asking.map(
    (watcher) =>
      new Promise<void>((done) => {
        watcher.onSynced = done;
        askForBoard(watcher, null);
      }),
  );
  const since = performance.now();
  let last_ms = 0;
  let bytes = 0;
  let missing = watchers.length;
  const lastWatcherReached = new Promise<void>((done) => {
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
  await Promise.race([Promise.all([lastWatcherReached, ...synced]), gone]);
  return { answered_ms, last_ms, bytes };
}

/** The frames that watchers received since `follow`. */
interface Followed {
  /** Closed connections. */
  gone: number;
  /** Messages with a gap before them or with a reset. */
  gaps: number;
  /** The most messages that one watcher received. */
  messages: number;
  /** When the last watcher had the last change, by `Date.now()`, because another process compares it. */
  at: number;
}

export interface Following {
  /** Resolves when every remaining watcher has reached the clock. */
  reached: (clock: number) => Promise<Followed>;
}

/** Follows the clock of each watcher from now on. */
export function follow({ watchers }: Crowd): Following {
  const clocks = new Map<Watcher, number>(watchers.map((watcher) => [watcher, 0]));
  const messages = new Map<Watcher, number>();
  const followed: Followed = { gone: 0, gaps: 0, messages: 0, at: 0 };
  let look = (): void => {};
  // All watchers receive the same bytes, so parse them once.
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

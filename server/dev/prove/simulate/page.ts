import { setCredentials } from '../../../../client/api/request.ts';
import { keepSettings, type SettingsKeeper } from '../../../../client/live/keep-settings.ts';
import { watchBoard } from '../../../../client/live/watch-board.ts';
import { clearBoard, useBoard } from '../../../../client/state/board-store.ts';
import { setServerSaveClock } from '../../../../client/state/clock.ts';
import { useSession } from '../../../../client/state/session-store.ts';
import type { ClaimRow } from '../../../../shared/schemas/claim.ts';
import { type Line, NEVER_MS, transportOver } from './line.ts';
import { readOutsideClaims } from './screen-offers.ts';
import type { Watching, WatchingOptions } from './watchers.ts';

/** The browser that the client's own code sees: an address, and a page in view. */
const BROWSER = {
  location: {
    protocol: 'http:',
    host: 'claimboard.test',
    hostname: 'claimboard.test',
    port: '',
    pathname: '/',
  },
  // Of no build: another one is none of its business.
  document: Object.assign(new EventTarget(), {
    visibilityState: 'visible',
    hidden: false,
    querySelector: () => null,
  }),
  window: new EventTarget(),
};

export interface PageOptions extends WatchingOptions {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** It keeps the server's clock, too. */
  keepsClock?: boolean;
}

export interface Page extends Watching {
  /** Reads what the admin's Claims tab lists beside the board. */
  readOutside: () => Promise<readonly ClaimRow[]>;
}

/**
 * The client's own live code, as it runs in a browser: it reconnects, and reads over REST meanwhile.
 * One at a time: its store is the module's.
 */
export function openPage({ name, who, auth, dial, fetch, keepsClock = false }: PageOptions): Page {
  let line: Line | null = null;
  let isHeld = false;
  let refusal: string | null = null;
  let stop: (() => void) | null = null;
  let settings: SettingsKeeper | null = null;
  let waiting: (() => void)[] = [];
  const dialHeld = (): Line => {
    line = dial();
    line.isHeld = isHeld;
    return line;
  };
  const passed = async <T>(value: T): Promise<T> => {
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    return value;
  };
  const throughTheNetwork = async (path: string, init: RequestInit): Promise<Response> =>
    passed(await fetch(path, init));
  const load = (): void => {
    Object.assign(globalThis, BROWSER, { fetch: throughTheNetwork });
    stop?.();
    settings?.stop();
    clearBoard();
    refusal = null;
    const current = auth();
    const accessKey = current.access_key;
    const profile =
      who !== null && accessKey
        ? { characterName: who, memberType: '', accessKey, isVerified: true, createdAt: '' }
        : null;
    useSession.setState({ profiles: profile ? [profile] : [], current: profile });
    setCredentials({
      access_key: current.access_key ?? null,
      admin_token: current.admin_token ?? null,
    });
    settings = keepsClock ? keepSettings(setServerSaveClock) : null;
    stop = watchBoard({
      auth: current,
      transports: [transportOver(dialHeld)],
      silent_after_ms: NEVER_MS,
      onConnected: () => settings?.renew(),
      onRefused: ({ code }) => {
        refusal = code;
      },
    });
  };
  return {
    name,
    who,
    connect: () => {
      if (!stop || refusal !== null) load();
    },
    // A reloaded page has an empty store.
    comeBack: load,
    board: () => {
      const { connection, clock, byKind } = useBoard.getState();
      return connection === 'live' && line && !line.isOver && !line.isAsking && !isHeld
        ? { clock, byKind }
        : null;
    },
    readOutside: async () => {
      Object.assign(globalThis, { fetch: throughTheNetwork });
      return readOutsideClaims();
    },
    line: () => line,
    hold: (on) => {
      isHeld = on;
      if (line) line.isHeld = on;
      if (on) return;
      for (const pass of waiting) pass();
      waiting = [];
    },
    isHeld: () => isHeld,
    refusal: () => refusal,
    stop: () => {
      stop?.();
      settings?.stop();
      clearBoard();
      useSession.setState({ profiles: [], current: null });
      for (const name of ['location', 'document', 'window'])
        Reflect.deleteProperty(globalThis, name);
    },
  };
}

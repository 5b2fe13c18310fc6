import { useEffect } from 'react';
import { getConfig } from '../api/calls.ts';
import { useBoard } from '../store/board-store.ts';
import { setServerSaveClock } from '../store/clock.ts';
import { dropAdmin, logoutCurrent, renewCurrent, useSession } from '../store/session-store.ts';
import { watchBoard } from './watch-board.ts';

/** Watches the board as whoever is signed in, an admin before a member; called once, at the top of the app. */
export function useLiveBoard(): void {
  useEffect(() => {
    // The server's clock and its server-save hour; without them the usual ones stand until the server answers.
    renewClock();
  }, []);
  const ready = useSession((session) => session.status === 'ready');
  const admin_token = useSession((session) => session.admin?.token);
  const access_key = useSession((session) => session.current?.accessKey);
  useEffect(() => {
    if (!ready) return;
    if (admin_token) return watchBoard({ auth: { admin_token }, onRefused: ({ code }) => dropAdmin(code), onReturned: renewClock });
    if (access_key) return watchBoard({ auth: { access_key }, onRefused: ({ code }) => logoutCurrent(code), onReturned: renewMember });
    return watchIfPublic();
  }, [ready, admin_token, access_key]);
}

/** A server that came back may have been restarted with other settings. */
function renewClock(): void {
  getConfig()
    .then(setServerSaveClock)
    .catch(() => {});
}

function renewMember(): void {
  renewClock();
  void renewCurrent();
}

/** A public board is watched without a credential; whether it is one, the settings say. */
function watchIfPublic(): () => void {
  let stop = (): void => {};
  let stopped = false;
  getConfig()
    .then((config) => {
      if (!stopped && config.board_visibility === 'public') stop = watchBoard({ auth: {}, onRefused: () => {}, onReturned: renewClock });
    })
    .catch(() => {
      // The page that visitors see does not need the settings; it says by itself when the server is away.
    });
  return () => {
    stopped = true;
    stop();
  };
}

/** True when somebody is signed in, or the board is public and here already. */
export function useMaySeeBoard(): boolean {
  const signedIn = useSession((session) => session.admin !== null || session.current !== null);
  const here = useBoard((board) => board.status === 'ready');
  return signedIn || here;
}

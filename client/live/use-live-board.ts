import { useEffect } from 'react';
import { clearBoard } from '../state/board-store.ts';
import {
  dropAdmin,
  logoutCurrent,
  renewAdmin,
  renewCurrent,
  roomOf,
  useSession,
} from '../state/session-store.ts';
import { readStarsBesideAdmin } from '../state/stars.ts';
import { followOutsideClaims } from './outside-claims.ts';
import type { Settings } from './use-settings.ts';
import { watchBoard } from './watch-board.ts';

/** Watches the board as the signed-in admin, else member. Called once. */
export function useLiveBoard({ isPublic, renew }: Settings): void {
  const ready = useSession((session) => session.status === 'ready');
  const admin_token = useSession((session) => session.admin?.token);
  const room = useSession(({ admin }) => roomOf(admin));
  const access_key = useSession((session) => session.current?.accessKey);
  // A public board is watched without a credential.
  const isOpenVisit = isPublic && !admin_token && !access_key;
  useEffect(followOutsideClaims, []);
  useEffect(() => {
    if (!ready) return;
    if (admin_token) {
      // The first time, too: a page that started offline shows the saved role.
      const onConnected = (): void => {
        renew();
        void renewAdmin();
        readStarsBesideAdmin();
      };
      return watchBoard({
        auth: { admin_token },
        room,
        onRefused: ({ code }) => dropAdmin(code),
        onConnected,
      });
    }
    if (access_key) {
      const onConnected = (isAgain: boolean): void => {
        renew();
        if (isAgain) void renewCurrent();
      };
      return watchBoard({
        auth: { access_key },
        onRefused: ({ code }) => logoutCurrent(code),
        onConnected,
      });
    }
    if (!isOpenVisit) return;
    const onRefused = (): void => {
      clearBoard();
      renew();
    };
    return watchBoard({ auth: {}, onRefused, onConnected: renew });
  }, [ready, admin_token, room, access_key, isOpenVisit, renew]);
}

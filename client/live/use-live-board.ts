import { useEffect, useRef, useState } from 'react';
import { clearBoard, useBoard } from '../state/board-store.ts';
import { setServerSaveClock } from '../state/clock.ts';
import { setHasDiscordSignIn, setIsDemo } from '../state/permissions.ts';
import {
  dropAdmin,
  logoutCurrent,
  renewAdmin,
  renewCurrent,
  roomOf,
  useSession,
} from '../state/session-store.ts';
import { readStarsBesideAdmin } from '../state/stars.ts';
import { keepSettings, type SettingsKeeper } from './keep-settings.ts';
import { followOutsideClaims } from './outside-claims.ts';
import { watchBoard } from './watch-board.ts';

/** Watches the board as the signed-in admin, else member. Called once, at the top of the app. */
export function useLiveBoard(): void {
  const ready = useSession((session) => session.status === 'ready');
  const admin_token = useSession((session) => session.admin?.token);
  const room = useSession(({ admin }) => roomOf(admin));
  const access_key = useSession((session) => session.current?.accessKey);
  const { isPublic, renew } = useSettings();
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

/** Reads the server's clock and server-save time on each connection: a restarted server may have other settings. */
function useSettings(): { isPublic: boolean; renew: () => void } {
  const [isPublic, setIsPublic] = useState(false);
  const keeper = useRef<SettingsKeeper | null>(null);
  useEffect(() => {
    keeper.current = keepSettings((settings) => {
      setServerSaveClock(settings);
      setIsPublic(settings.board_visibility === 'public');
      setIsDemo(settings.is_demo === 1);
      setHasDiscordSignIn(settings.has_discord_sign_in === 1);
    });
    return () => keeper.current?.stop();
  }, []);
  const [renew] = useState(() => () => keeper.current?.renew());
  return { isPublic, renew };
}

/** True if signed in, or if the board is public and loaded. */
export function useMaySeeBoard(): boolean {
  const signedIn = useSession((session) => session.admin !== null || session.current !== null);
  const here = useBoard((board) => board.status === 'ready');
  return signedIn || here;
}

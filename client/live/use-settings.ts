import { useEffect, useRef, useState } from 'react';
import { setServerSaveClock } from '../state/clock.ts';
import { setHasDiscordSignIn, setIsDemo } from '../state/permissions.ts';
import { keepSettings, type SettingsKeeper } from './keep-settings.ts';

export interface Settings {
  /** Whether everyone may see the board. */
  isPublic: boolean;
  /** Reads them again. */
  renew: () => void;
}

/** Reads the server's clock and server-save time on each connection: a restarted server may have other settings. */
export function useSettings(): Settings {
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

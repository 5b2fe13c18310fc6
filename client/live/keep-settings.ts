import type { ConfigAnswer } from '../../shared/schemas/config.ts';
import { getConfig } from '../api/session-calls.ts';
import { createPoller } from './poller.ts';
import { onRefresh } from './refresh.ts';
import { onWake } from './wake.ts';

/** Pause between two requests while none is answered. */
const ASK_AGAIN_MS = 5_000;

export interface SettingsKeeper {
  renew: () => void;
  stop: () => void;
}

/** Reads the board's settings until they arrive, and again after sleep or a clock change, because they contain the server's time. */
export function keepSettings(onKnown: (settings: ConfigAnswer) => void): SettingsKeeper {
  const poller = createPoller(async (isStopped) => {
    const settings = await getConfig().catch(() => null);
    if (!settings || isStopped()) return;
    poller.stop();
    onKnown(settings);
  }, ASK_AGAIN_MS);
  const renew = (): void => {
    poller.start();
    poller.pollNow();
  };
  const stopRefreshing = onRefresh(poller.pollNow);
  const stopWaking = onWake(renew);
  poller.start();
  return {
    renew,
    stop: () => {
      stopRefreshing();
      stopWaking();
      poller.stop();
    },
  };
}

import type { ConfigAnswer } from '../../shared/schemas/config.ts';
import { getConfig } from '../api/calls.ts';
import { createPoller } from './poller.ts';
import { onRefresh } from './refresh.ts';
import { onWake } from './wake.ts';

/** Between two questions while nobody answers. */
const ASK_AGAIN_MS = 5_000;

export interface SettingsKeeper {
  /** They may have changed: asks until they are known anew. */
  renew: () => void;
  stop: () => void;
}

/** Asks for the board's settings until they are known, and anew when this computer has slept or its clock was set: the server's time is among them. */
export function keepSettings(onKnown: (settings: ConfigAnswer) => void): SettingsKeeper {
  const asking = createPoller(async (isStopped) => {
    const settings = await getConfig().catch(() => null);
    if (!settings || isStopped()) return;
    asking.stop();
    onKnown(settings);
  }, ASK_AGAIN_MS);
  const renew = (): void => {
    asking.start();
    asking.hurry();
  };
  const stopRefreshing = onRefresh(asking.hurry);
  const stopWaking = onWake(renew);
  asking.start();
  return {
    renew,
    stop: () => {
      stopRefreshing();
      stopWaking();
      asking.stop();
    },
  };
}

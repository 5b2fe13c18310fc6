import { useEffect, useState } from 'react';
import { CONFIG_ID } from '../../../../shared/kinds.ts';
import type { Config } from '../../../../shared/schemas/config.ts';
import { getConfig } from '../../../api/calls.ts';
import { useBoard } from '../../../state/board-store.ts';

/** How characters are verified here, and whose. */
export type VerificationSettings = Pick<Config, 'character_check' | 'guild_name'>;

export type LoadedSettings =
  | { status: 'loading' }
  | { status: 'ready'; settings: VerificationSettings }
  | { status: 'failed'; error: unknown };

/** The live board's settings where there is one; visitors have none, and ask. */
export function useVerificationSettings(): { loaded: LoadedSettings; askAgain: () => void } {
  const live = useBoard((board) => board.byKind.config.get(CONFIG_ID));
  const [asked, setAsked] = useState<LoadedSettings>({ status: 'loading' });
  const [tries, setTries] = useState(0);
  const isLive = live !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` is a reason to ask anew
  useEffect(() => {
    if (isLive) return;
    let gone = false;
    getConfig().then(
      (settings) => gone || setAsked({ status: 'ready', settings }),
      (error: unknown) => gone || setAsked({ status: 'failed', error }),
    );
    return () => {
      gone = true;
    };
  }, [isLive, tries]);
  return {
    loaded: live ? { status: 'ready', settings: live } : asked,
    askAgain: () => {
      setAsked({ status: 'loading' });
      setTries((count) => count + 1);
    },
  };
}

import { useEffect, useEffectEvent, useState } from 'react';
import type { PushPreferences } from '../../../shared/schemas/push.ts';
import { getPushPreferences, putPushPreferences } from '../../api/calls.ts';
import { useBoard } from '../../state/board-store.ts';
import type { Profile } from '../../state/saved-sessions.ts';

export interface Preferences {
  /** As they are chosen here; null: not loaded. */
  chosen: PushPreferences | null;
  loadFailure: unknown;
  state: 'saved' | 'saving' | 'failed' | 'unchanged';
  saveFailure: unknown;
  choose: (change: Partial<PushPreferences>) => void;
  tryAgain: () => void;
}

/** What a character is told of, as the server has it. A change is saved at once; what could not be stays chosen. */
export function usePreferences({ accessKey }: Profile): Preferences {
  const [saved, setSaved] = useState<PushPreferences | null>(null);
  const [chosen, setChosen] = useState<PushPreferences | null>(null);
  const [loadFailure, setLoadFailure] = useState<unknown>(null);
  const [saveFailure, setSaveFailure] = useState<unknown>(null);
  const [work, setWork] = useState<'none' | 'saving' | 'done'>('none');
  const [tries, setTries] = useState(0);
  const isOffline = useBoard((board) => board.connection === 'offline');

  const load = useEffectEvent(async (signal: AbortSignal): Promise<void> => {
    setLoadFailure(null);
    try {
      const preferences = await getPushPreferences(accessKey, signal);
      if (signal.aborted) return;
      setSaved(preferences);
      setChosen(preferences);
    } catch (error) {
      if (!signal.aborted) setLoadFailure(error);
    }
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the reasons to load them
  useEffect(() => {
    const abort = new AbortController();
    void load(abort.signal);
    return () => abort.abort();
  }, [accessKey, tries]);

  const save = useEffectEvent(async (before: PushPreferences, change: Partial<PushPreferences>): Promise<void> => {
    setWork('saving');
    try {
      await putPushPreferences(change, accessKey);
      // What was sent, not what the server calls it: it has its own name for a time zone.
      setSaved({ ...before, ...change });
      setWork('done');
    } catch (error) {
      setSaveFailure(error);
      setWork('none');
    }
  });
  // One after another: what is chosen meanwhile is sent then.
  useEffect(() => {
    if (!saved || !chosen || saveFailure !== null || work === 'saving' || !areWhole(chosen)) return;
    const change = changeOf(saved, chosen);
    if (Object.keys(change).length > 0) void save(saved, change);
  }, [saved, chosen, saveFailure, work]);
  useEffect(() => {
    if (!isOffline) setSaveFailure(null);
  }, [isOffline]);

  return {
    chosen,
    loadFailure,
    saveFailure,
    state: saveFailure !== null ? 'failed' : work === 'saving' ? 'saving' : work === 'done' ? 'saved' : 'unchanged',
    choose: (change) => {
      setSaveFailure(null);
      setChosen((before) => before && { ...before, ...change });
    },
    tryAgain: () => (chosen ? setSaveFailure(null) : setTries((before) => before + 1)),
  };
}

/** Quiet hours that begin and end, not at the same time: a clock that is being typed has none yet. */
export const areWhole = ({ quiet_from: from, quiet_until: until }: Pick<PushPreferences, 'quiet_from' | 'quiet_until'>): boolean =>
  from === null || (from !== '' && until !== '' && from !== until);

function changeOf(saved: PushPreferences, chosen: PushPreferences): Partial<PushPreferences> {
  const change: Partial<PushPreferences> = {};
  for (const kind of ['hold_offered', 'hunt_begins', 'confirm_now', 'claim_changed'] as const)
    if (saved[kind] !== chosen[kind]) change[kind] = chosen[kind];
  if (saved.quiet_from !== chosen.quiet_from || saved.quiet_until !== chosen.quiet_until) {
    change.quiet_from = chosen.quiet_from;
    change.quiet_until = chosen.quiet_until;
  }
  if (saved.time_zone !== chosen.time_zone) change.time_zone = chosen.time_zone;
  return change;
}

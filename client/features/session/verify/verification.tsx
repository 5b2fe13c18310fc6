import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { nameKey } from '../../../../shared/rules/names.ts';
import { forgetVerification, type PendingVerification, pendingOf, usePendingVerifications } from '../../../state/pending-verifications.ts';
import { savedProfiles } from '../../../state/saved-profiles.ts';
import { addProfile, useSession } from '../../../state/session-store.ts';
import { CodeStep } from './code-step.tsx';
import { SuccessStep, VerifiedStep } from './done-steps.tsx';
import { NameStep } from './name-step.tsx';
import type { CheckEnd } from './run-check.ts';
import type { VerificationSettings } from './use-verification-settings.ts';

export interface VerificationProps {
  /** The character of the address; empty: none yet. */
  name: string;
  settings: VerificationSettings;
}

type Done = { is: 'key'; characterName: string; memberType: string; accessKey: string } | { is: 'verified'; characterName: string };

/** Which of the steps is in view: the result there is, else the code that is kept for the name, else the name. */
export function Verification({ name, settings }: VerificationProps): ReactNode {
  const list = usePendingVerifications();
  const pending = name ? pendingOf(list, name) : undefined;
  const [done, setDone] = useState<Done | null>(null);
  useKeyOfOtherTab(name, pending, (found) => setDone((own) => own ?? found));

  const finish = (finished: PendingVerification, end: CheckEnd): void => {
    if (end.is !== 'key' && end.is !== 'verified') return;
    setDone(end);
    if (end.is === 'key') {
      const { characterName, memberType, accessKey } = end;
      addProfile({ characterName, memberType, accessKey, isVerified: true, createdAt: new Date().toISOString() });
    }
    // Last: other tabs look for the key when the code is gone.
    forgetVerification(finished);
  };

  if (done?.is === 'key') return <SuccessStep {...done} settings={settings} />;
  if (done) return <VerifiedStep characterName={done.characterName} settings={settings} />;
  if (pending) return <CodeStep key={pending.code} pending={pending} settings={settings} onEnd={(end) => finish(pending, end)} />;
  return <NameStep name={name} settings={settings} />;
}

/** The code in view is gone from the cookies, and a key is there that was not before: another tab had success. */
function useKeyOfOtherTab(name: string, pending: PendingVerification | undefined, onKey: (done: Done) => void): void {
  const was = useRef(pending);
  const [keysBefore] = useState(() => new Set(useSession.getState().profiles.map((profile) => profile.accessKey)));
  const look = useEffectEvent(() => {
    const profile = savedProfiles().find((saved) => nameKey(saved.characterName) === nameKey(name));
    if (!profile || keysBefore.has(profile.accessKey)) return;
    addProfile(profile);
    onKey({ is: 'key', ...profile });
  });
  useEffect(() => {
    const before = was.current;
    was.current = pending;
    if (before && !pending) look();
  }, [pending]);
}

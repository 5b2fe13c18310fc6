import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { gameName, nameKey } from '../../../../shared/rules/names.ts';
import { isCharacterVerified } from '../../../api/calls.ts';
import { useAskedClaim } from '../../../lib/asked-claim.ts';
import { switchProfile, useSession } from '../../../state/session-store.ts';

/** Section 9 of the specification: names longer than this are checked, after this pause. */
const UNCHECKED_LENGTH = 2;
const CHECK_PAUSE_MS = 500;
const REDIRECT_AFTER_MS = 2000;

/** `elsewhere`: verified before, without a session here. `here`: this browser holds its key, and is led to the claims. */
export type NameCheck = { is: 'unknown' } | { is: 'elsewhere' | 'here'; characterName: string };

/** Whether the character whose name is being typed was verified before. A check that fails says nothing: it is a courtesy. */
export function useNameCheck(typed: string): NameCheck {
  const name = gameName(typed);
  const [answer, setAnswer] = useState<{ name: string; isVerified: boolean } | null>(null);
  useEffect(() => {
    if (name.length <= UNCHECKED_LENGTH) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      isCharacterVerified(name, abort.signal).then(
        ({ isVerified }) => setAnswer({ name, isVerified }),
        () => {},
      );
    }, CHECK_PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [name]);

  const isChecked = useSession((session) => session.status === 'ready');
  const here = useSession((session) => session.profiles.find((profile) => nameKey(profile.characterName) === nameKey(name)));
  const isVerified = answer?.name === name && answer.isVerified && isChecked;
  useRedirect(isVerified && here ? here.characterName : null);
  if (!isVerified) return { is: 'unknown' };
  return here ? { is: 'here', characterName: here.characterName } : { is: 'elsewhere', characterName: name };
}

/** Leads to the claims of a character that is signed in here, after a moment in which that can be read. */
function useRedirect(characterName: string | null): void {
  const navigate = useNavigate();
  const { asked_claim } = useAskedClaim();
  const go = useEffectEvent((name: string) => {
    switchProfile(name);
    void navigate({ pathname: '/input', search: asked_claim });
  });
  useEffect(() => {
    if (characterName === null) return;
    const timer = setTimeout(() => go(characterName), REDIRECT_AFTER_MS);
    return () => clearTimeout(timer);
  }, [characterName]);
}

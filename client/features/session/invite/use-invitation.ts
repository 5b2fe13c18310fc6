import { useEffect, useState } from 'react';
import type { InvitationShown } from '../../../../shared/schemas/admin.ts';
import { lookAtInvitation } from '../../../api/invitations.ts';
import { ApiError } from '../../../api/request.ts';

/** What is known of a link. `gone`: it leads nowhere any more. `failed`: it could not be looked up. */
type Looked = { is: 'loading' } | { is: 'shown'; invitation: InvitationShown } | { is: 'gone' } | { is: 'failed'; error: unknown };

export interface InvitationLook {
  looked: Looked;
  lookAgain: () => void;
  /** The server said so meanwhile. */
  isGone: () => void;
}

export const leadsNowhere = (error: unknown): boolean => error instanceof ApiError && error.code === 'invitation.notFound';

/** Looks a link up, and anew as soon as the network is back where it failed. */
export function useInvitation(token: string): InvitationLook {
  const [looked, setLooked] = useState<Looked>({ is: 'loading' });
  const [tries, setTries] = useState(0);
  const lookAgain = (): void => {
    setLooked({ is: 'loading' });
    setTries((before) => before + 1);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is a reason to look
  useEffect(() => {
    const abort = new AbortController();
    lookAtInvitation(token, abort.signal).then(
      (invitation) => {
        if (!abort.signal.aborted) setLooked({ is: 'shown', invitation });
      },
      (error: unknown) => {
        if (!abort.signal.aborted) setLooked(leadsNowhere(error) ? { is: 'gone' } : { is: 'failed', error });
      },
    );
    return () => abort.abort();
  }, [token, tries]);

  const hasFailed = looked.is === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    const again = (): void => setTries((before) => before + 1);
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [hasFailed]);

  return { looked, lookAgain, isGone: () => setLooked({ is: 'gone' }) };
}

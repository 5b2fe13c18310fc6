import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SIGN_IN_REFUSALS, type SignInRefusal } from '../../../shared/discord/sign-in.ts';
import { redeemDiscordTicket } from '../../api/calls.ts';
import { takeForReturn } from '../../lib/discord-return.ts';
import { addProfile } from '../../state/session-store.ts';
import { useAction } from '../../ui/use-action.ts';
import { awaitCharacter } from './discord-connect.tsx';

/** The result in the fragment of Discord's callback. Browsers never send fragments. */
type Returned = { ticket: string } | { refusal: SignInRefusal };

function returnedIn(hash: string): Returned | null {
  const [, name, value = ''] = /^#(discord|discord-error)=([\w-]+)$/.exec(hash) ?? [];
  if (name === 'discord') return { ticket: value };
  const refusal = SIGN_IN_REFUSALS.find((each) => each === value);
  return name === 'discord-error' ? { refusal: refusal ?? 'failed' } : null;
}

export interface DiscordReturn {
  isBusy: boolean;
  refusal: SignInRefusal | null;
  /** Why the ticket was not redeemed; null: it was, or there is none. */
  failure: unknown;
}

/** Signs in the member who comes back from Discord, with all of their characters, and removes the ticket from the address. */
export function useDiscordReturn(onSignedIn: () => void): DiscordReturn {
  const { hash, pathname, search } = useLocation();
  const navigate = useNavigate();
  const [returned] = useState(() => returnedIn(hash));
  const hasBegun = useRef(false);
  const { run, isBusy, failure } = useAction({
    work: redeemDiscordTicket,
    done: ({ characters, connect_token, discord_name }) => {
      // The first one last: it is selected.
      for (const character of characters.toReversed())
        addProfile({ ...character, isVerified: true, createdAt: new Date().toISOString() });
      if (connect_token === null) onSignedIn();
      else awaitCharacter({ connect_token, discord_name });
    },
  });
  const redeem = useEffectEvent(run);
  useEffect(() => {
    if (!returned || hasBegun.current) return;
    hasBegun.current = true;
    void navigate({ pathname, search }, { replace: true, state: takeForReturn() });
    if ('ticket' in returned) redeem(returned.ticket);
  }, [returned, pathname, search, navigate]);
  return { isBusy, refusal: returned && 'refusal' in returned ? returned.refusal : null, failure };
}

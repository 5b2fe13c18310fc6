import type { OwnClaim } from '../../shared/schemas/claim.ts';
import type { MissedClaim } from '../../shared/schemas/missed-claim.ts';
import { getOutsideClaims } from '../api/calls.ts';
import { onReturn } from '../lib/page-events.ts';
import {
  activeEventIn,
  applyMissedClaims,
  applyOutsideClaims,
  useBoard,
} from '../state/board-store.ts';
import { useSession } from '../state/session-store.ts';

/** Shows the claims outside the active event of the key's character. */
export function applyClaimsOf(access_key: string, claims: readonly OwnClaim[]): void {
  const profile = useSession.getState().profiles.find(({ accessKey }) => accessKey === access_key);
  if (profile) applyOutsideClaims(profile.characterName, claims);
}

/** Shows the missed claims of the key's character. A server of an earlier version sends none. */
export function applyMissedOf(access_key: string, missed: readonly MissedClaim[] = []): void {
  const profile = useSession.getState().profiles.find(({ accessKey }) => accessKey === access_key);
  if (profile) applyMissedClaims(profile.characterName, missed);
}

/** They are read again this long after a change of the board, in milliseconds. */
const READ_EVERY_MS = 10_000;

/**
 * Keeps the claims outside the active event of characters that the live connection is not for: this browser's other characters and, beside
 * a signed-in admin, all of them. They are read when the event is activated, on return, and after changes of the board.
 * @returns a function that stops it
 */
export function followOutsideClaims(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!activeEventIn(useBoard.getState())) return;
    const { profiles, current, admin } = useSession.getState();
    for (const { accessKey } of profiles) {
      if (!admin && accessKey === current?.accessKey) continue;
      // After a failure, keep the known claims.
      getOutsideClaims(accessKey).then(
        (claims) => applyClaimsOf(accessKey, claims),
        () => {},
      );
    }
  };
  read();
  const stops = [
    onReturn(read),
    useSession.subscribe((session, before) => {
      if (
        session.profiles !== before.profiles ||
        session.current !== before.current ||
        session.admin !== before.admin
      )
        read();
    }),
    useBoard.subscribe((board, before) => {
      if (activeEventIn(board)?.id !== activeEventIn(before)?.id) read();
      else if (board.clock !== before.clock) timer ??= setTimeout(read, READ_EVERY_MS);
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { nameKey } from '../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { getMyEndings } from '../../api/calls.ts';
import { useShortDate } from '../../lib/words/claim-words.tsx';
import { groupBy } from '../../lib/words/order.ts';
import { type BoardState, useBoard } from '../../store/board-store.ts';
import { serverNow } from '../../store/clock.ts';
import type { Profile } from '../../store/saved-profiles.ts';
import { useSession } from '../../store/session-store.ts';
import { showToast } from '../../ui/toast.tsx';
import { type ChangeByAdmin, madeByAdmins, type OwnChange, ownChanges } from './own-changes.ts';

/** As many changed claims are named one by one; of more it says how many. */
const MOST_NAMED = 3;
/** The history is asked for a little more than the time since the board was last read: two clocks differ. */
const SLACK_MS = 10_000;

/** On every page: tells the holder of a claim, whose own claim history it asks, when an admin changed or deleted it, who and why. */
export function OwnChangesHost(): null {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const shortDate = useShortDate();
  const hasSeveral = useSession(({ profiles }) => profiles.length > 1);

  const inWords = (claim: ClaimOnRespawn): string => {
    const spot = useBoard.getState().byKind.respawn.get(claim.respawn_id)?.name ?? '';
    const day = claim.date === null ? t('board.everyDay') : shortDate(claim.date);
    const hours = t('time.range', { start: claim.hour_start, end: claim.hour_end });
    return [...(hasSeveral ? [claim.character_name] : []), spot, day, hours].filter(Boolean).join(', ');
  };
  const whyOf = ({ reason, by }: ChangeByAdmin): string => `${t(`endings.reason.${reason}`)}${by === null ? '' : ` (${by})`}`;
  const say = (text: string): void =>
    showToast({ tone: 'accent', text, stays: true, action: { label: t('mine.title'), onPress: () => void navigate('/mine') } });
  const sayAll = useEffectEvent((made: readonly ChangeByAdmin[]): void => {
    for (const [why, some] of groupBy(made, whyOf)) {
      if (some.length > MOST_NAMED) say(t('mine.changed.several', { count: some.length, why }));
      else {
        for (const { before, after } of some) {
          const params = { claim: inWords(before), why };
          say(after ? t('mine.changed.moved', { ...params, now: inWords(after) }) : t('mine.changed.ended', params));
        }
      }
    }
  });

  useEffect(() => {
    const abort = new AbortController();
    let since = serverNow();
    const look = async (profile: Profile, changes: readonly OwnChange[], from: Date): Promise<void> => {
      // Where it cannot be read, "My claims" tells it later.
      const past = await getMyEndings(1, profile.accessKey, abort.signal).catch(() => null);
      if (!past || abort.signal.aborted) return;
      const first = new Date(from.getTime() - SLACK_MS).toISOString();
      const made = madeByAdmins(
        changes,
        past.endings.filter(({ ended_at }) => ended_at >= first),
      );
      if (made.length > 0) sayAll(made);
    };
    const stop = useBoard.subscribe((board: BoardState, before: BoardState) => {
      if (board.status !== 'ready' || before.status !== 'ready' || board.claimsByRespawn === before.claimsByRespawn) return;
      const from = since;
      since = serverNow();
      for (const profile of useSession.getState().profiles) {
        const changes = ownChanges([nameKey(profile.characterName)], before.claimsByRespawn, board.claimsByRespawn);
        if (changes.length > 0) void look(profile, changes, from);
      }
    });
    return () => {
      stop();
      abort.abort();
    };
  }, []);
  return null;
}

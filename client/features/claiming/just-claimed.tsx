import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { CONFIG_ID } from '../../../shared/kinds.ts';
import { releaseOf } from '../../../shared/rules/release.ts';
import type { ClaimOnRespawn, ClaimRow } from '../../../shared/schemas/claim.ts';
import { deleteClaim, partOf, releaseClaim } from '../../api/calls.ts';
import { ApiError } from '../../api/request.ts';
import { unbroken } from '../../lib/time-text.ts';
import { useErrorText } from '../../lib/words/error-text.ts';
import { groupBy } from '../../lib/words/order.ts';
import { refreshBoard } from '../../live/refresh.ts';
import { boardAddress, showSpot } from '../../state/board-place.ts';
import { useBoard } from '../../state/board-store.ts';
import { claimTimeNow } from '../../state/claim-time.ts';
import { useNearDay } from '../../state/near-day.ts';
import { useSession } from '../../state/session-store.ts';
import { useLocalHours } from '../../ui/hours/hours-text.tsx';
import { showToast, type ToastAction } from '../../ui/toast.tsx';
import { copyForDiscord } from './discord-text.ts';

/** Undoes the claims that were just made, and says so. Returns false if the server refuses. */
type Undo = () => Promise<boolean>;

/**
 * How claims that were just made can be undone; null: they cannot. Only admins delete claims (sections 2 and 6 of the specification);
 * members release them, if the guild lets them and no hour has begun (R9.20).
 */
export function useUndo(): (claims: readonly ClaimRow[], access_key: string | null) => Undo | null {
  const { t } = useTranslation();
  const errorText = useErrorText();
  /** Completed steps: pressed again after a refusal, Undo continues where it stopped. */
  const done = useRef(new Set<string>());
  return (claims, access_key) => {
    if (access_key !== null && !claims.every(canRelease)) return null;
    const byId = groupBy(claims, (claim) => claim.id);
    return async () => {
      try {
        for (const { key, run } of [...byId].flatMap(([id, parts]) =>
          undoSteps(id, parts, access_key),
        )) {
          if (done.current.has(key)) continue;
          await orGone(run());
          done.current.add(key);
        }
        showToast({ text: t('board.quickClaim.undone', { count: byId.size }) });
        return true;
      } catch (error) {
        showToast({ tone: 'bad', text: errorText(error) });
        return false;
      } finally {
        refreshBoard();
      }
    };
  };
}

function canRelease({ date, is_held, ...hours }: ClaimRow): boolean {
  const { today, hour } = claimTimeNow(false);
  const isEnabled = useBoard.getState().byKind.config.get(CONFIG_ID)?.release_enabled === 1;
  const release =
    isEnabled && date !== null && !is_held ? releaseOf(hours, date, { today, hour }) : null;
  return release !== null && release.stays === null;
}

interface UndoStep {
  key: string;
  run: () => Promise<unknown>;
}

/** R9.21: once a part of a split claim is released, the other one is a whole claim. */
function undoSteps(
  id: number,
  [first, second]: readonly ClaimRow[],
  access_key: string | null,
): UndoStep[] {
  if (access_key === null) return [{ key: `${id}`, run: () => deleteClaim(id) }];
  const steps: UndoStep[] = [];
  if (second)
    steps.push({ key: `${id} 2`, run: () => releaseClaim(id, partOf(second), access_key) });
  if (first)
    steps.push({
      key: `${id}`,
      run: () => releaseClaim(id, second ? null : partOf(first), access_key),
    });
  return steps;
}

/** A claim that no longer exists is undone: an admin deleted it, or the answer to an earlier try was lost. */
async function orGone(undoing: Promise<unknown>): Promise<void> {
  try {
    await undoing;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'claim.notFound')) throw error;
  }
}

interface ClaimedTextProps {
  claim: Pick<ClaimOnRespawn, 'respawn_id' | 'character_name' | 'date' | 'hour_start' | 'hour_end'>;
  spot: string;
  /** The date in view: a claim of a whole event has none. */
  dateInView: string;
}

/** "You claimed Cobra Bastion, SS+10 to SS+13", and below it the day and the viewer's own time. */
export function ClaimedText({ claim, spot, dateInView }: ClaimedTextProps): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  const localHours = useLocalHours();
  const { character_name: name, date, hour_start: start, hour_end: end } = claim;
  // With several characters "you" does not say which of them.
  const isYou = useSession(
    ({ profiles, current }) => profiles.length === 1 && current?.characterName === name,
  );
  const hours = unbroken(t('time.range', { start, end }));
  return (
    <>
      <span className="block">
        {t(isYou ? 'board.quickClaim.claimedByYou' : 'board.quickClaim.claimed', {
          name,
          spot,
          hours,
        })}
      </span>
      <span className="muted fine tabular block">
        {date === null ? t('board.everyDay') : nearDay(date)} ·{' '}
        {unbroken(localHours(date ?? dateInView, start, end))}
      </span>
    </>
  );
}

/** Says that a claim is stored, with actions on it. `dateInView` is the date in view. */
export function useShowClaimed(): (
  stored: readonly ClaimRow[],
  access_key: string | null,
  dateInView: string,
) => void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const undoOf = useUndo();

  return (stored, access_key, dateInView) => {
    const [claim] = stored;
    if (!claim) return;
    const { respawn_id, respawn_name: spot, date } = claim;
    const undo = undoOf(stored, access_key);
    const actions: ToastAction[] = [
      {
        label: t('board.quickClaim.showClaim'),
        stays: true,
        onPress: () => {
          void navigate(boardAddress(date, claimTimeNow(false).today));
          showSpot({ respawn_id, date: date ?? dateInView });
        },
      },
      {
        label: t('board.quickClaim.copy'),
        stays: true,
        onPress: () => copyForDiscord(claim, spot, t),
      },
    ];
    if (undo) actions.push({ label: t('board.quickClaim.undo'), onPress: () => void undo() });
    showToast({ text: <ClaimedText claim={claim} spot={spot} dateInView={dateInView} />, actions });
  };
}

import type { TFunction } from 'i18next';
import { createElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { Capability } from '../../../../shared/rules/roles.ts';
import type { ActivityEntry, UndoAnswer } from '../../../../shared/schemas/activity.ts';
import type { UndoableAction } from '../../../../shared/schemas/activity-details.ts';
import { undoActivity } from '../../../api/admin-calls.ts';
import { getActivityLog } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { openOverlay } from '../../../state/overlays.ts';
import { showToast } from '../../../ui/toast.tsx';
import { countConflicts, restorableIn, UndoQuestion } from './conflicting-claims.tsx';

/** Finds the activity entry of a change that was just made. */
export interface Change {
  action: UndoableAction;
  matches: (details: ActivityEntry['details']) => boolean;
  /** The message after the undo; by default it names the restored records. */
  undone?: string;
}

/**
 * Undoes an entry. If something is in the way of some claims, a dialog names it and asks whether to restore the others.
 * @returns a function that takes the entry's id and the text of the message afterwards
 */
function useUndo(): (id: number, doneText: (restored: number) => string) => Promise<void> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return async (id, doneText) => {
    const failed = (error: unknown): string =>
      t('admin.activity.restoreFailed', { reason: errorText(error) });
    const showDone = (answer: UndoAnswer): void =>
      showToast({ text: withLeft(t, doneText(answer.restored_claims), answer) });
    try {
      showDone(await undoActivity(id));
    } catch (error) {
      const others = restorableIn(error);
      if (others === null) showToast({ tone: 'bad', text: failed(error) });
      else {
        openOverlay('confirmation', {
          confirmation: {
            title: t('admin.activity.conflicts', { count: countConflicts(error) }),
            text: createElement(UndoQuestion, { error }),
            confirmLabel: t('admin.activity.restoreOthers', { count: others }),
            harmless: true,
            onConfirm: async () => showDone(await undoActivity(id, { partial: true })),
            errorText: failed,
          },
        });
      }
    }
  };
}

/** Shows a message that something was deleted or changed, with an undo button. */
export function useOfferUndo(): (text: string, change: Change) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const undoEntry = useUndo();
  const undo = async (change: Change): Promise<void> => {
    try {
      const entry = await findEntry(change);
      if (!entry) {
        showToast({ tone: 'bad', text: t('errors.activity.notFound') });
        return;
      }
      const doneText = (count: number) => change.undone ?? restoredText(t, change.action, count);
      await undoEntry(entry.id, doneText);
    } catch (error) {
      showToast({
        tone: 'bad',
        text: t('admin.activity.restoreFailed', { reason: errorText(error) }),
      });
    }
  };
  return (text, change) =>
    showToast({
      text,
      action: { label: t('board.quickClaim.undo'), onPress: () => void undo(change) },
    });
}

/** The same for an action whose entry is known; null: it cannot be undone. */
export function useOfferUndoOf(): (text: string, activity_id: number | null) => void {
  const { t } = useTranslation();
  const undoEntry = useUndo();
  return (text, id) => {
    const onPress = (): void => void undoEntry(id ?? 0, () => t('admin.bulk.undone'));
    showToast(
      id === null ? { text } : { text, action: { label: t('board.quickClaim.undo'), onPress } },
    );
  };
}

/** Entries arrive live. Without the live connection only the server has the newest one, and an older one may match, too. */
async function findEntry({ action, matches }: Change): Promise<ActivityEntry | undefined> {
  const isIt = (entry: ActivityEntry): boolean =>
    entry.action === action && entry.undo === 'possible' && matches(entry.details);
  const { connection, byKind } = useBoard.getState();
  const known =
    connection === 'live'
      ? [...byKind.activity.values()].filter(isIt).sort((a, b) => b.id - a.id)
      : [];
  return known[0] ?? (await getActivityLog({ action, limit: 100, page: 1 })).logs.find(isIt);
}

/** The kinds of records that can be restored. Bulk actions and actions of a newer version are `change`, with generic texts. */
type Restorable =
  | 'claim'
  | 'claims'
  | 'event'
  | 'respawn'
  | 'category'
  | 'memberType'
  | 'key'
  | 'record'
  | 'change';

const BY_ACTION: { readonly [A in ActivityAction]?: Restorable } = {
  claim_deleted: 'claim',
  claims_cleared: 'claims',
  event_deleted: 'event',
  respawn_deleted: 'respawn',
  category_deleted: 'category',
  member_type_deleted: 'memberType',
  access_key_deleted: 'key',
  verification_deleted: 'record',
};

export const restorableBy = (action: ActivityAction): Restorable => BY_ACTION[action] ?? 'change';

const OF_CLAIMS: ReadonlySet<string> = new Set<ActivityAction>([
  'claim_deleted',
  'claims_cleared',
  'claims_deleted',
  'claim_updated',
  'standing_ended',
  'no_show_excused',
]);

export const neededToUndo = (action: ActivityAction): Capability =>
  OF_CLAIMS.has(action) ? 'claims' : 'guild';

/** The message after a restore, with the number of claims that it left. */
export const withLeft = (t: TFunction, text: string, { left_claims }: UndoAnswer): string =>
  left_claims > 0 ? t('admin.activity.left', { text, count: left_claims }) : text;

export function restoredText(t: TFunction, action: ActivityAction, count: number): string {
  const what = restorableBy(action);
  if (what === 'event') return t('admin.activity.restoredEvent', { count });
  if (what === 'respawn') return t('admin.activity.restoredRespawn', { count });
  // None: only a waitlist entry whose hold was deleted, or no claim at all.
  return count > 0 ? t('admin.activity.restoredClaims', { count }) : t('admin.activity.restored');
}

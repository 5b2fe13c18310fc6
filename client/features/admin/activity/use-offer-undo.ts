import { useTranslation } from 'react-i18next';
import type { ActivityAction } from '../../../../shared/activity-actions.ts';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { getActivityLog, undoActivity } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { showToast } from '../../../ui/toast.tsx';
import { restoredText } from './restorable.ts';

/** The entry of a deletion that was just made. */
export interface Deletion {
  action: ActivityAction;
  matches: (details: ActivityEntry['details']) => boolean;
}

/** Says that something was deleted, and offers to put it back as long as the message stands. */
export function useOfferUndo(): (said: string, deletion: Deletion) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const putBack = async (deletion: Deletion): Promise<void> => {
    try {
      const entry = await findEntry(deletion);
      if (!entry) {
        showToast({ tone: 'bad', text: t('errors.activity.notFound') });
        return;
      }
      const { restored_claims } = await undoActivity(entry.id);
      showToast({ text: restoredText(t, deletion.action, restored_claims) });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.activity.restoreFailed', { reason: errorText(error) }) });
    }
  };
  return (said, deletion) => showToast({ text: said, action: { label: t('admin.activity.undo'), onPress: () => void putBack(deletion) } });
}

/** The same for a deed whose entry is known; null: nothing of it can be undone. */
export function useOfferUndoOf(): (said: string, activity_id: number | null) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const putBack = async (id: number): Promise<void> => {
    try {
      await undoActivity(id);
      showToast({ text: t('admin.bulk.undone') });
    } catch (error) {
      showToast({ tone: 'bad', text: t('admin.activity.restoreFailed', { reason: errorText(error) }) });
    }
  };
  return (said, id) =>
    showToast(id === null ? { text: said } : { text: said, action: { label: t('admin.activity.undo'), onPress: () => void putBack(id) } });
}

/** It arrives live; while the connection is down, the server is asked. */
async function findEntry({ action, matches }: Deletion): Promise<ActivityEntry | undefined> {
  const isIt = (entry: ActivityEntry): boolean => entry.action === action && entry.undo === 'possible' && matches(entry.details);
  const known = [...useBoard.getState().byKind.activity.values()].filter(isIt).sort((a, b) => b.id - a.id);
  return known[0] ?? (await getActivityLog({ action, limit: 100, page: 1 })).logs.find(isIt);
}

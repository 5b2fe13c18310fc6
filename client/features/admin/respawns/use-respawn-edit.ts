import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { setRespawnCategory, setRespawnImage, updateRespawn } from '../../../api/admin-calls.ts';
import { useBoard } from '../../../state/board-store.ts';
import { type RowEdit, useRowEdit } from '../forms/row-edit.tsx';
import {
  type RespawnRequest,
  type RespawnValues,
  respawnEdit,
  useRespawnFields,
} from './respawn-fields.tsx';

export type RespawnEdit = RowEdit<Respawn, RespawnValues, RespawnRequest>;

export function useRespawnEdit(): RespawnEdit {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  return useRowEdit<Respawn, RespawnValues, RespawnRequest>({
    name: 'spot row',
    fields: useRespawnFields(),
    schema: respawnEdit,
    // Checking a picture takes too long to do it at each change.
    checksAtSave: true,
    live: ({ id }) => respawns.get(id),
    // Text is refused more often than a picture and costs less to send.
    update: async (before, { image, category_id, ...text }, { changed, savedPart }) => {
      const { id } = before;
      let now = before;
      if (changed.includes('name') || changed.includes('is_enabled')) {
        now = await updateRespawn(id, text);
        savedPart(now, ['name', 'is_enabled']);
      }
      if (image instanceof File) {
        const form = new FormData();
        form.set('image', image);
        savedPart({ ...now, ...(await setRespawnImage(id, form)) }, ['image']);
      }
      if (category_id !== undefined) await setRespawnCategory(id, category_id);
    },
    refusalOf: (reason, _error, unsaved) => {
      if (unsaved.includes('name') || unsaved.includes('is_enabled'))
        // The specification has the reason in this sentence only.
        return { field: 'name', text: t('admin.respawns.updateFailed', { reason }) };
      return unsaved.includes('image')
        ? { field: 'image', failed: t('admin.respawns.imageFailed') }
        : { field: 'category_id', failed: t('admin.respawns.categoryFailed') };
    },
    saved: t('admin.respawns.updated'),
    // Pictures have no undo, and an edit of both name and category is two entries of the log.
    undoOf: ({ id }, changed) =>
      changed.length === 0 ||
      changed.includes('image') ||
      (changed.includes('category_id') && changed.length > 1)
        ? null
        : { action: 'respawn_updated', matches: ({ respawn_id }) => respawn_id === id },
  });
}

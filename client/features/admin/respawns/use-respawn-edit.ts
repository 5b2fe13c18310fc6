import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { setRespawnCategory, setRespawnImage, updateRespawn } from '../../../api/admin-calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useBoard } from '../../../state/board-store.ts';
import type { FieldName } from '../../../ui/form/fields.ts';
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
    // A picture costs the most to send and is refused least often.
    update: async (before, { image, ...facts }, { changed, savedPart }) => {
      const { id } = before;
      let now = before;
      const saved = changed.filter((field) => field !== 'image');
      if (saved.length > 0) {
        now = await (isOnlyCategory(saved) && facts.category_id !== undefined
          ? setRespawnCategory(id, facts.category_id)
          : updateRespawn(id, facts));
        savedPart(now, saved);
      }
      if (image instanceof File) {
        const form = new FormData();
        form.set('image', image);
        savedPart({ ...now, ...(await setRespawnImage(id, form)) }, ['image']);
      }
    },
    refusalOf: (reason, error, unsaved) => {
      const unsavedFacts = unsaved.filter((field) => field !== 'image');
      if (unsavedFacts.length === 0)
        return { field: 'image', failed: t('admin.respawns.imageFailed') };
      const isOfCategory = error instanceof ApiError && error.code === 'category.notFound';
      return isOfCategory || isOnlyCategory(unsavedFacts)
        ? { field: 'category_id', failed: t('admin.respawns.categoryFailed') }
        : // The specification has the reason in this sentence only.
          { field: 'name', text: t('admin.respawns.updateFailed', { reason }) };
    },
    saved: t('admin.respawns.updated'),
    // Pictures have no undo.
    undoOf: ({ id }, changed) =>
      changed.length === 0 || changed.includes('image')
        ? null
        : { action: 'respawn_updated', matches: ({ respawn_id }) => respawn_id === id },
  });
}

/** The specification has a call and a sentence of its own for a change of the category alone. */
const isOnlyCategory = (changed: readonly FieldName<RespawnValues>[]): boolean =>
  changed.length === 1 && changed[0] === 'category_id';

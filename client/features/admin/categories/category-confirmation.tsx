import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Category } from '../../../../shared/schemas/category.ts';
import { deleteCategory } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { useOfferUndo } from '../activity/undo.ts';

export interface CategoryConfirmationProps {
  category: Category;
  /** How many respawns will move. */
  spots: number;
  /** The name of the category that they go to. */
  defaultName: string;
  onClose: () => void;
  focusAfterDelete: RefObject<HTMLElement | null>;
}

export function CategoryConfirmation({ category, spots, defaultName, onClose, focusAfterDelete }: CategoryConfirmationProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndo();
  const { id, name } = category;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={t('admin.categories.confirmDelete.title', { name })}
      text={`${t('admin.categories.confirmDelete.spots', { count: spots, category: defaultName })} ${t('admin.categories.confirmDelete.restorable')}`}
      confirmLabel={t('admin.categories.confirmDelete.confirm')}
      onConfirm={async () => {
        await deleteCategory(id);
        offerUndo(t('admin.categories.deleted'), { action: 'category_deleted', matches: ({ category_id }) => category_id === id });
      }}
      errorText={(error) => t('admin.categories.deleteFailed', { reason: errorText(error) })}
      focusAfter={focusAfterDelete}
    />
  );
}

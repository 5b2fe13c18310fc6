import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { RecordId } from '../../../../shared/record-table.ts';
import { Button } from '../../../ui/button.tsx';
import tab from '../tab.module.css';
import type { RowEdit } from './row-edit.tsx';

interface RowAction {
  /** Names the record, for screen readers. */
  label: string;
  onPress: () => void;
}

interface RowActionsProps {
  id: RecordId;
  /** null: this record cannot be edited. */
  edit: RowAction | null;
  remove: RowAction;
  /** Further actions, between the two. */
  children?: ReactNode;
}

/** The actions of a table's row; Delete last. */
export function RowActions({ id, edit, remove, children }: RowActionsProps): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={tab.rowActions}>
      {edit ? (
        <Button small variant="quiet" data-edit={id} onClick={edit.onPress} aria-label={edit.label}>
          {t('common.edit')}
        </Button>
      ) : null}
      {children}
      <Button
        small
        variant="quiet"
        className={tab.destructive}
        onClick={remove.onPress}
        aria-label={remove.label}
      >
        {t('common.delete')}
      </Button>
    </span>
  );
}

interface RowEditActionsProps<R, V extends FieldValues, I> {
  edit: RowEdit<R, V, I>;
  saveLabel: string;
  cancelLabel: string;
}

export function RowEditActions<R, V extends FieldValues, I>({
  edit,
  saveLabel,
  cancelLabel,
}: RowEditActionsProps<R, V, I>): ReactNode {
  const { t } = useTranslation();
  const { busy, conflict, save, cancel } = edit;
  return (
    <span className={tab.editing}>
      <Button
        small
        variant="primary"
        busy={busy}
        disabled={conflict.outcome === 'deleted'}
        onClick={save}
        aria-label={saveLabel}
      >
        {t('common.save')}
      </Button>
      <Button small disabled={busy} onClick={cancel} aria-label={cancelLabel}>
        {t('common.cancel')}
      </Button>
    </span>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { dayText, formatLocale } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { Checkbox, TextInput } from '../../../ui/fields/inputs.tsx';
import { PictureInput } from '../../../ui/fields/picture-input.tsx';
import tab from '../tab.module.css';
import { CategorySelect } from './category-select.tsx';
import { IMAGE_TYPE } from './respawn-values.ts';
import styles from './respawns.module.css';
import type { RespawnEdit } from './use-respawn-edit.ts';

interface CellProps {
  respawn: Respawn;
  /** The edit of this row; null while it is only shown. */
  edit: RespawnEdit | null;
}

/** The picture and the name. */
export function NameCell({ respawn: { name, image_url }, edit }: CellProps): ReactNode {
  const { t } = useTranslation();
  if (!edit) {
    return (
      <span className={styles.spot}>
        <Emblem src={image_url} name={name} size={32} />
        {name}
      </span>
    );
  }
  const { values, busy, change, failure } = edit;
  return (
    <span data-edit-fields className={styles.nameEdit}>
      <TextInput
        aria-label={t('admin.respawns.nameOf', { name })}
        aria-invalid={failure?.field === 'name' || undefined}
        value={values.name}
        onChange={(event) => change({ name: event.target.value })}
        readOnly={busy}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
      />
      <PictureInput
        label={t('admin.respawns.imageOf', { name })}
        accept={IMAGE_TYPE}
        file={values.image instanceof File ? values.image : null}
        onFile={(image) => change({ image })}
        current={image_url}
        name={name}
        prompt={t('admin.respawns.replaceImage')}
        invalid={failure?.field === 'image'}
        disabled={busy}
      />
    </span>
  );
}

export function EnabledCell({ respawn: { is_enabled, name }, edit }: CellProps): ReactNode {
  const { t } = useTranslation();
  if (edit) {
    return (
      <Checkbox
        label={t('admin.respawns.enabled')}
        aria-label={t('admin.respawns.enabledOf', { name })}
        checked={edit.values.is_enabled}
        disabled={edit.busy}
        onChange={(event) => edit.change({ is_enabled: event.target.checked })}
      />
    );
  }
  return (
    <span className={classes(tab.status, is_enabled ? styles.on : styles.off)}>
      {is_enabled ? t('admin.respawns.enabled') : t('admin.respawns.disabled')}
    </span>
  );
}

export function CategoryCell({ respawn, edit }: CellProps): ReactNode {
  const { t } = useTranslation();
  const category = useBoard((board) => (respawn.category_id === null ? undefined : board.byKind.category.get(respawn.category_id)));
  if (edit) {
    return (
      <CategorySelect
        label={t('admin.respawns.categoryOf', { name: respawn.name })}
        value={edit.values.category_id}
        invalid={edit.failure?.field === 'category_id'}
        onChange={(category_id) => edit.change({ category_id })}
        disabled={edit.busy}
      />
    );
  }
  return category?.name ?? respawn.category_name ?? <span className={styles.faint}>{t('admin.respawns.noCategory')}</span>;
}

export function LastClaimCell({ respawn: { last_claim_date: date } }: Pick<CellProps, 'respawn'>): ReactNode {
  const { t, i18n } = useTranslation();
  if (!date) return <span className={styles.faint}>{t('admin.respawns.never')}</span>;
  return (
    <time dateTime={date} className={styles.date}>
      {dayText(date, formatLocale(i18n.language), 'dateAndYear')}
    </time>
  );
}

interface ActionsProps extends CellProps {
  onEdit: () => void;
  onDelete: () => void;
}

export function ActionsCell({ respawn: { id, name }, edit, onEdit, onDelete }: ActionsProps): ReactNode {
  const { t } = useTranslation();
  if (edit) {
    return (
      <span className={tab.editing}>
        <Button
          small
          variant="primary"
          busy={edit.busy}
          disabled={edit.others.outcome === 'deleted'}
          onClick={edit.save}
          aria-label={t('admin.respawns.saveName', { name })}
        >
          {t('common.save')}
        </Button>
        <Button small disabled={edit.busy} onClick={edit.cancel} aria-label={t('admin.respawns.cancelName', { name })}>
          {t('common.cancel')}
        </Button>
      </span>
    );
  }
  return (
    <span className={tab.rowActions}>
      <Button small variant="quiet" data-edit={id} onClick={onEdit} aria-label={t('admin.respawns.editName', { name })}>
        {t('common.edit')}
      </Button>
      <Button small variant="quiet" className={tab.destructive} onClick={onDelete} aria-label={t('admin.respawns.deleteName', { name })}>
        {t('common.delete')}
      </Button>
    </span>
  );
}

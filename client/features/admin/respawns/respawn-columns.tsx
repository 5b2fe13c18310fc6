import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMay } from '../../../state/permissions.ts';
import { classes } from '../../../ui/classes.ts';
import { Emblem } from '../../../ui/emblem.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { PictureInput } from '../../../ui/fields/file-input.tsx';
import { TextInput } from '../../../ui/fields/inputs.tsx';
import { AffectedWeeklyClaims } from '../forms/affected-weekly-claims.tsx';
import { RowActions, RowEditActions } from '../forms/row-actions.tsx';
import tab from '../tab.module.css';
import type { Column } from '../table/admin-table.tsx';
import { CategorySelect, IMAGE_TYPE } from './respawn-fields.tsx';
import styles from './respawns.module.css';
import type { RespawnEdit } from './use-respawn-edit.ts';

type ColumnId = 'name' | 'enabled' | 'category' | 'claims' | 'last_claim' | 'actions';

export function useRespawnColumns(
  edit: RespawnEdit,
  onDelete: (respawn: Respawn) => void,
): Column<Respawn>[] {
  const { t } = useTranslation();
  const mayChange = useMay('guild');
  const column = (id: ColumnId): { id: ColumnId; heading: string } => ({
    id,
    heading: t(`admin.respawns.columns.${id}`),
  });
  const isEdited = ({ id }: Respawn): boolean => edit.opened?.id === id;
  const columns: Column<Respawn>[] = [
    {
      ...column('name'),
      part: 'title',
      sortBy: (respawn) => respawn.name,
      cell: (respawn) =>
        isEdited(respawn) ? (
          <NameFields respawn={respawn} edit={edit} />
        ) : (
          <NameCell respawn={respawn} />
        ),
    },
    {
      ...column('enabled'),
      sortBy: (respawn) => 1 - respawn.is_enabled,
      cell: (respawn) =>
        isEdited(respawn) ? (
          <EnabledField respawn={respawn} edit={edit} />
        ) : (
          <EnabledCell respawn={respawn} />
        ),
    },
    {
      ...column('category'),
      sortBy: (respawn) => respawn.category_name ?? '',
      cell: (respawn) =>
        isEdited(respawn) ? (
          <CategoryField respawn={respawn} edit={edit} />
        ) : (
          <CategoryCell respawn={respawn} />
        ),
    },
    {
      ...column('claims'),
      sortBy: (respawn) => respawn.total_claims,
      cell: (respawn) => <span className="muted tabular nowrap">{respawn.total_claims}</span>,
    },
    {
      ...column('last_claim'),
      sortBy: (respawn) => respawn.last_claim_date ?? '',
      cell: (respawn) => <LastClaimCell respawn={respawn} />,
    },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    {
      ...column('actions'),
      part: 'actions',
      cell: (respawn) => {
        const { id, name } = respawn;
        if (isEdited(respawn)) {
          const saveLabel = t('admin.rows.save', { name });
          const cancelLabel = t('admin.rows.cancel', { name });
          return <RowEditActions edit={edit} saveLabel={saveLabel} cancelLabel={cancelLabel} />;
        }
        return (
          <RowActions
            id={id}
            edit={{
              label: t('admin.rows.edit', { name }),
              onPress: () => edit.start(respawn),
            }}
            remove={{
              label: t('admin.rows.delete', { name }),
              onPress: () => onDelete(respawn),
            }}
          />
        );
      },
    },
  ];
}

interface CellProps {
  respawn: Respawn;
}
interface EditProps extends CellProps {
  edit: RespawnEdit;
}

function NameCell({ respawn: { name, image_url } }: CellProps): ReactNode {
  return (
    <span className={styles.spot}>
      <Emblem src={image_url} name={name} size={32} />
      {name}
    </span>
  );
}

function NameFields({ respawn: { name, image_url }, edit: { form, busy } }: EditProps): ReactNode {
  const { t } = useTranslation();
  const text = useController({ control: form.control, name: 'name' });
  const image = useController({ control: form.control, name: 'image' });
  const { value } = image.field;
  return (
    <span data-edit-fields className={styles.nameEdit}>
      <TextInput
        {...text.field}
        aria-label={t('admin.respawns.nameOf', { name })}
        aria-invalid={text.fieldState.invalid || undefined}
        readOnly={busy}
        maxLength={60}
        autoComplete="off"
        spellCheck={false}
      />
      <PictureInput
        label={t('admin.respawns.imageOf', { name })}
        accept={IMAGE_TYPE}
        file={value instanceof File ? value : null}
        onFile={image.field.onChange}
        current={image_url}
        name={name}
        prompt={t('admin.respawns.replaceImage')}
        invalid={image.fieldState.invalid}
        disabled={busy}
      />
    </span>
  );
}

function EnabledCell({ respawn: { is_enabled } }: CellProps): ReactNode {
  const { t } = useTranslation();
  return (
    <span className={classes(tab.status, is_enabled ? 'good' : 'faint')}>
      {is_enabled ? t('admin.respawns.enabled') : t('admin.respawns.disabled')}
    </span>
  );
}

function EnabledField({
  respawn: { id, name, is_enabled },
  edit: { form, busy },
}: EditProps): ReactNode {
  const { t } = useTranslation();
  const { field } = useController({ control: form.control, name: 'is_enabled' });
  const { value, ...rest } = field;
  return (
    <>
      <Checkbox
        {...rest}
        label={t('admin.respawns.enabled')}
        aria-label={t('admin.respawns.enabledOf', { name })}
        checked={value}
        disabled={busy}
      />
      {is_enabled && !value ? <AffectedWeeklyClaims how="stop" spots={[id]} /> : null}
    </>
  );
}

function CategoryCell({ respawn: { category_id, category_name } }: CellProps): ReactNode {
  const { t } = useTranslation();
  const category = useBoard((board) =>
    category_id === null ? undefined : board.byKind.category.get(category_id),
  );
  return (
    category?.name ??
    category_name ?? <span className="faint">{t('admin.respawns.noCategory')}</span>
  );
}

function CategoryField({ respawn: { name }, edit: { form, busy } }: EditProps): ReactNode {
  const { t } = useTranslation();
  const { field, fieldState } = useController({ control: form.control, name: 'category_id' });
  return (
    <span data-edit-fields>
      <CategorySelect
        label={t('admin.respawns.categoryOf', { name })}
        value={field.value}
        invalid={fieldState.invalid}
        onChange={field.onChange}
        disabled={busy}
      />
    </span>
  );
}

function LastClaimCell({ respawn: { last_claim_date: date } }: CellProps): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  if (!date) return <span className="faint">{t('admin.respawns.never')}</span>;
  return (
    <time dateTime={date} className="muted tabular nowrap">
      {dayText(date, 'dateAndYear')}
    </time>
  );
}

import { useEffect } from 'react';
import { type FieldErrors, type Resolver, useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { setRespawnCategory, setRespawnImage, updateRespawn } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { type RowEdit, useRowEdit } from '../forms/row-edit.tsx';
import type { Change } from '../forms/undo.ts';
import {
  changeOf,
  differingFields,
  imageProblem,
  type RespawnValues,
  useImageProblemText,
  valuesOf,
} from './respawn-fields.tsx';

export type RespawnEdit = RowEdit<Respawn, RespawnValues>;

/** Edits a respawn in its row. */
export function useRespawnEdit(): RespawnEdit {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const imageProblemText = useImageProblemText();
  const respawns = useBoard((board) => board.byKind.respawn);
  const check: Resolver<RespawnValues> = async (values) => {
    const errors: FieldErrors<RespawnValues> = {};
    const problem = values.image instanceof File ? await imageProblem(values.image) : null;
    if (!tidyName(values.name))
      errors.name = { type: 'check', message: t('errors.respawn.nameRequired') };
    else if (problem && values.image instanceof File)
      errors.image = { type: 'check', message: imageProblemText(problem, values.image) };
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
  };
  const form = useForm<RespawnValues>({
    defaultValues: { name: '', is_enabled: true, category_id: null, image: '' },
    resolver: check,
    reValidateMode: 'onSubmit',
  });
  // A problem is about what was sent. Checking a picture takes too long to do it at each change.
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ type }) => {
          if (type === 'change') form.clearErrors();
        },
      }),
    [form],
  );
  return useRowEdit<Respawn, RespawnValues>({
    name: 'spot row',
    form,
    liveOf: ({ id }) => respawns.get(id),
    valuesOf,
    differing: differingFields,
    save: store,
    refusalOf: (error, values) => {
      if (!(error instanceof StoreFailed)) return { text: errorText(error) };
      const { call, record, stored, cause } = error;
      const reason = errorText(cause);
      // The specification has a reason in the first of these sentences only.
      const isUpdate = call === 'updateFailed';
      return {
        field: FIELD_OF_CALL[call],
        text: isUpdate ? t('admin.respawns.updateFailed', { reason }) : reason,
        failed: isUpdate ? undefined : t(`admin.respawns.${call}`),
        // A picture that is stored is not sent again.
        partly: {
          record,
          values: { ...values, image: stored.includes('image') ? record.image : values.image },
          fields: stored,
        },
      };
    },
    saved: t('admin.respawns.updated'),
    undoOf,
  });
}

/** Pictures have no undo, and an edit of both name and category is two entries of the log. */
function undoOf(before: Respawn, values: RespawnValues): Change | null {
  const changed = differingFields(valuesOf(before), values);
  const isOneEntry =
    !changed.includes('image') &&
    changed.includes('category_id') !== Boolean(changeOf(before, values));
  return isOneEntry
    ? { action: 'respawn_updated', matches: ({ respawn_id }) => respawn_id === before.id }
    : null;
}

/** The calls of a save, in their order: text is refused more often than a picture and costs less to send. */
const FIELD_OF_CALL = {
  updateFailed: 'name',
  imageFailed: 'image',
  categoryFailed: 'category_id',
} as const;

class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
  readonly call: keyof typeof FIELD_OF_CALL;
  /** The respawn as it is stored now. */
  readonly record: Respawn;
  readonly stored: readonly (keyof RespawnValues)[];

  constructor(
    call: keyof typeof FIELD_OF_CALL,
    record: Respawn,
    stored: readonly (keyof RespawnValues)[],
    cause: unknown,
  ) {
    super(call, { cause });
    this.call = call;
    this.record = record;
    this.stored = stored;
  }
}

/** Sends what differs from the stored respawn and stops at the first refusal. @throws StoreFailed */
async function store(before: Respawn, values: RespawnValues): Promise<void> {
  const { id } = before;
  const changed = differingFields(valuesOf(before), values);
  const change = changeOf(before, values);
  const stored: (keyof RespawnValues)[] = [];
  let record = before;
  let call: keyof typeof FIELD_OF_CALL = 'updateFailed';
  try {
    if (change) {
      record = await updateRespawn(id, change);
      stored.push(...changed.filter((field) => field === 'name' || field === 'is_enabled'));
    }
    call = 'imageFailed';
    if (values.image instanceof File) {
      const form = new FormData();
      form.set('image', values.image);
      record = { ...record, ...(await setRespawnImage(id, form)) };
      stored.push('image');
    }
    call = 'categoryFailed';
    if (changed.includes('category_id')) await setRespawnCategory(id, values.category_id);
  } catch (error) {
    throw new StoreFailed(call, record, stored, error);
  }
}

import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { Respawn } from '../../../../shared/schemas/respawn.ts';
import { setRespawnCategory, setRespawnImage, updateRespawn } from '../../../api/calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { showToast } from '../../../ui/toast.tsx';
import { type EditConflict, useEditConflict } from '../forms/edit-conflict.tsx';
import { changeOf, differingFields, imageProblem, type RespawnValues, useImageProblemText, valuesOf } from './respawn-values.ts';

interface Failure {
  text: string;
  /** The field that was refused. */
  field: keyof RespawnValues;
  /** What of the change is stored already. */
  saved: readonly (keyof RespawnValues)[];
}

/** The one row that is edited. It lives outside the table, so that neither live changes nor scrolling lose it. */
export interface RespawnEdit {
  opened: Respawn | null;
  values: RespawnValues;
  busy: boolean;
  failure: Failure | null;
  /** Another row was to be edited while this one holds changes. */
  inTheWay: boolean;
  others: EditConflict<Respawn, RespawnValues>;
  notice: RefObject<HTMLDivElement | null>;
  start: (respawn: Respawn) => void;
  change: (change: Partial<RespawnValues>) => void;
  save: () => void;
  cancel: () => void;
}

const NOTHING: RespawnValues = { name: '', is_enabled: true, category_id: null, image: '' };

export function useRespawnEdit(): RespawnEdit {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<Respawn | null>(null);
  const [values, fill] = useState(NOTHING);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [inTheWay, setInTheWay] = useState(false);
  const notice = useRef<HTMLDivElement>(null);
  const live = useBoard((board) => (opened ? board.byKind.respawn.get(opened.id) : undefined));
  const others = useEditConflict({ opened, live, valuesOf, differing: differingFields, typed: values, fill, saving: busy });
  const imageProblemText = useImageProblemText();
  const store = useStoreRespawn();

  const begin = (respawn: Respawn | null): void => {
    setOpened(respawn);
    fill(respawn ? valuesOf(respawn) : NOTHING);
    setFailure(null);
    setInTheWay(false);
  };
  const problemOfImage = async ({ image }: RespawnValues): Promise<string | null> => {
    if (!(image instanceof File)) return null;
    const problem = await imageProblem(image);
    return problem && imageProblemText(problem, image);
  };
  const save = async (stored: Respawn): Promise<void> => {
    setInTheWay(false);
    if (!tidyName(values.name)) {
      setFailure({ text: t('errors.respawn.nameRequired'), field: 'name', saved: [] });
      return;
    }
    setBusy(true);
    setFailure(null);
    const problem = await problemOfImage(values);
    if (problem) {
      setBusy(false);
      setFailure({ text: problem, field: 'image', saved: [] });
      return;
    }
    const { record, failure: refusal, saved } = await store(stored, values);
    setBusy(false);
    if (!refusal) {
      showToast({ text: t('admin.respawns.updated') });
      begin(null);
      return;
    }
    others.savedPart(record);
    // A picture that is stored is not sent again.
    fill({ ...values, image: saved.includes('image') ? record.image : values.image });
    setFailure({ ...refusal, saved });
  };

  return {
    opened,
    values,
    busy,
    failure,
    inTheWay,
    others,
    notice,
    start: (respawn) => {
      if (others.stored && (busy || differingFields(valuesOf(others.stored), values).length > 0)) setInTheWay(true);
      else begin(respawn);
    },
    change: (change) => {
      fill({ ...values, ...change });
      setFailure(null);
    },
    save: () => {
      if (!others.stored || busy || others.outcome === 'deleted') return;
      if (others.theirs) notice.current?.focus();
      else void save(others.stored);
    },
    cancel: () => {
      if (!busy) begin(null);
    },
  };
}

/** Which field a failed call was about. */
const FIELD_OF = { updateFailed: 'name', imageFailed: 'image', categoryFailed: 'category_id' } as const;

interface Stored {
  /** As it is stored now. */
  record: Respawn;
  failure: Pick<Failure, 'text' | 'field'> | null;
  saved: (keyof RespawnValues)[];
}

/**
 * Sends what differs from the stored respawn, call by call, and stops at the first refusal. The words go first: they
 * are refused more often than a picture, and cost less to send.
 */
function useStoreRespawn(): (stored: Respawn, values: RespawnValues) => Promise<Stored> {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return async (stored, values) => {
    const { id } = stored;
    const changed = differingFields(valuesOf(stored), values);
    const change = changeOf(stored, values);
    const saved: (keyof RespawnValues)[] = [];
    let record = stored;
    let failed: 'updateFailed' | 'imageFailed' | 'categoryFailed' = 'updateFailed';
    try {
      if (change) {
        record = await updateRespawn(id, change);
        saved.push(...changed.filter((field) => field === 'name' || field === 'is_enabled'));
      }
      failed = 'imageFailed';
      if (values.image instanceof File) {
        const form = new FormData();
        form.set('image', values.image);
        record = { ...record, ...(await setRespawnImage(id, form)) };
        saved.push('image');
      }
      failed = 'categoryFailed';
      if (changed.includes('category_id')) {
        record = await setRespawnCategory(id, values.category_id);
        saved.push('category_id');
      }
      return { record, failure: null, saved };
    } catch (error) {
      return { record, failure: { text: t(`admin.respawns.${failed}`, { reason: errorText(error) }), field: FIELD_OF[failed] }, saved };
    }
  };
}

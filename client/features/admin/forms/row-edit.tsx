import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { RecordId } from '../../../../shared/record-table.ts';
import { Alert } from '../../../ui/alert.tsx';
import type { FieldName } from '../../../ui/form/fields.ts';
import {
  type RecordForm,
  type RecordFormOptions,
  useRecordForm,
} from '../../../ui/form/record-form.ts';
import { showToast } from '../../../ui/toast.tsx';
import tab from '../tab.module.css';
import { dialogDraft } from './drafts.ts';
import { FormNotes, type FormNotesProps } from './form-notes.tsx';
import { type Change, useOfferUndo } from './undo.ts';

interface RowEditOptions<R, V extends FieldValues, I extends FieldValues>
  extends Omit<RecordFormOptions<R, V, I>, 'record' | 'draft' | 'done'> {
  /** Under which the edit is kept if the session ends. */
  name: string;
  /** The record to edit at once, for an editor that is rendered only while its row is edited. */
  initial?: R;
  /** The message after a save. */
  saved: string;
  /** The save as the log has it, if it can be undone there. */
  undoOf?: (stored: R, changed: readonly FieldName<V>[]) => Change | null;
  /** Called when the edit ends, saved or cancelled. */
  onClose?: () => void;
}

/** An edit of one record in place. Its state is outside the row, so that neither live changes nor scrolling lose it. */
export interface RowEdit<R, V extends FieldValues, I = unknown> extends RecordForm<R, V, I> {
  /** Another row was to be edited while this one has changes. */
  isBlocking: boolean;
  start: (record: R) => void;
  save: () => void;
  cancel: () => void;
  /** For the capture phase around the fields: Enter saves, Escape cancels. */
  onKeyDown: (event: KeyboardEvent) => void;
}

export function useRowEdit<R, V extends FieldValues, I extends FieldValues>({
  name,
  initial,
  saved,
  undoOf,
  onClose,
  ...options
}: RowEditOptions<R, V, I>): RowEdit<R, V, I> {
  const [isBlocking, setBlocking] = useState(false);
  const offerUndo = useOfferUndo();
  const edit = useRecordForm<R, V, I>({
    ...options,
    record: initial ?? null,
    draft: dialogDraft(name),
    done: (stored, { changed }) => {
      const change = stored !== null && undoOf ? undoOf(stored, changed) : null;
      if (change) offerUndo(saved, change);
      else showToast({ text: saved });
      close();
    },
  });
  const open = (record: R | null): void => {
    edit.open(record);
    setBlocking(false);
  };
  const close = (): void => {
    open(null);
    onClose?.();
  };
  const save = (): void => {
    setBlocking(false);
    edit.submit();
  };
  const cancel = (): void => {
    if (!edit.busy) close();
  };
  return {
    ...edit,
    isBlocking,
    start: (record) => {
      if (edit.busy || edit.isChanged) setBlocking(true);
      else open(record);
    },
    save,
    cancel,
    onKeyDown: (event) => saveOrCancel(event, { save, cancel }),
  };
}

/** An open list of choices keeps both keys, and Enter presses buttons and opens pickers. */
function saveOrCancel(
  event: KeyboardEvent,
  { save, cancel }: { save: () => void; cancel: () => void },
): void {
  // Enter and Escape of an input method end the composition, not the edit.
  if (event.nativeEvent.isComposing) return;
  const { target } = event;
  if (!(target instanceof Element) || isOpenList(target)) return;
  if (event.key === 'Escape') cancel();
  else if (
    event.key === 'Enter' &&
    target.matches('select, input:not([type="file"], [type="color"])')
  )
    save();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

const isOpenList = (target: Element): boolean =>
  CSS.supports('selector(:open)') && target.matches('select:open');

/**
 * Moves the focus into the first field when an edit begins, into the refused field, and back to the edit button when the edit ends.
 * @param box contains the row, with its fields in an element with `data-edit-fields`, and the button, with the id in `data-edit`
 * @param editing the id of the edited record
 */
export function useEditFocus(
  box: RefObject<HTMLElement | null>,
  editing: RecordId | null,
  edit?: { problem: string | null; busy: boolean },
): void {
  const last = useRef<RecordId | null>(null);
  const refused = edit?.busy ? null : (edit?.problem ?? null);
  useEffect(() => {
    const focus = (selector: string): void =>
      box.current?.querySelector<HTMLElement>(selector)?.focus();
    if (editing !== null) focus('[data-edit-fields] :is(input:not([type=color]), select)');
    else if (last.current !== null) focus(`[data-edit="${CSS.escape(String(last.current))}"]`);
    last.current = editing;
  }, [box, editing]);
  useEffect(() => {
    if (refused !== null)
      box.current?.querySelector<HTMLElement>('[data-edit-fields] [aria-invalid="true"]')?.focus();
  }, [box, refused]);
}

export interface OpenRows<R> {
  /** All records, and those that were deleted while they are edited. */
  rows: R[];
  /** The record at the start of its edit; null while it is not edited. */
  openedOf: (record: R) => R | null;
  setOpen: (record: R, open: boolean) => void;
}

/** Which records of a list are edited in place, where several may be at once. */
export function useOpenRows<R>(
  records: { get: (id: RecordId) => R | undefined; values: () => Iterable<R> },
  idOf: (record: R) => RecordId,
): OpenRows<R> {
  const [opened, setOpened] = useState<ReadonlyMap<RecordId, R>>(new Map());
  const deleted = [...opened.values()].filter((record) => !records.get(idOf(record)));
  return {
    rows: [...records.values(), ...deleted],
    openedOf: (record) => opened.get(idOf(record)) ?? null,
    setOpen: (record, open) =>
      setOpened((now) => {
        const next = new Map(now);
        if (open) next.set(idOf(record), record);
        else next.delete(idOf(record));
        return next;
      }),
  };
}

interface RowEditNotesProps<R, V extends FieldValues, I>
  extends Pick<FormNotesProps<R, V, I>, 'what'> {
  edit: RowEdit<R, V, I>;
}

export function rowEditNotes<R, V extends FieldValues, I>(
  props: RowEditNotesProps<R, V, I>,
): ReactNode {
  const { conflict, problem, isBlocking } = props.edit;
  return conflict.theirs !== null || conflict.outcome !== null || problem !== null || isBlocking ? (
    <RowEditNotes {...props} />
  ) : null;
}

function RowEditNotes<R, V extends FieldValues, I>({
  edit,
  what,
}: RowEditNotesProps<R, V, I>): ReactNode {
  const { t } = useTranslation();
  const { fields, isBlocking, problem, failed, storedFields } = edit;
  return (
    <div className={tab.list}>
      <FormNotes what={what} form={edit} />
      {isBlocking ? <Alert tone="accent">{t('admin.table.saveFirst')}</Alert> : null}
      {problem !== null ? (
        <Alert tone="bad" title={failed ?? problem}>
          {failed === undefined ? null : <p>{problem}</p>}
          {storedFields.length > 0
            ? t('admin.table.savedPart', {
                fields: storedFields.map((field) => fields[field].label).join(', '),
              })
            : null}
        </Alert>
      ) : null}
    </div>
  );
}

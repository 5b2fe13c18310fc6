import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';
import {
  type FieldErrors,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useFormState,
  useWatch,
} from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { RecordId } from '../../../../shared/record-table.ts';
import { type EditConflict, useEditConflict } from '../../../lib/use-edit-conflict.ts';
import { SAID_BY_SERVER } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { showToast } from '../../../ui/toast.tsx';
import tab from '../tab.module.css';
import { useInterruptedEdit, useKeepEdit } from './drafts.ts';
import { EditConflictNotice, type EditConflictNoticeProps } from './edit-conflict.tsx';
import { type Change, useOfferUndo } from './undo.ts';

/** Why a save failed, as a person reads it. */
interface Refusal<R, V extends FieldValues> {
  text: string;
  /** What failed, on a line above `text`, which then is only the reason. */
  failed?: string | undefined;
  /** The refused field; without it the refusal is about the whole record. */
  field?: FieldPath<V> | undefined;
  /** Some fields were stored before the refusal: the record and the values to go on with. */
  partly?: { record: R; values: V; fields: readonly (keyof V)[] };
}

interface RowEditOptions<R, V extends FieldValues> {
  /** Under which the edit is kept if the session ends. */
  name: string;
  /** Holds what is typed, and validates it before it is sent. */
  form: UseFormReturn<V>;
  /** The record to edit at once, for an editor that is rendered only while its row is edited. */
  initial?: R;
  /** The record as it is now; undefined if it was deleted. */
  liveOf: (record: R) => R | undefined;
  valuesOf: (record: R) => V;
  /** The fields in which two versions differ. */
  differing: (before: V, after: V) => readonly (keyof V)[];
  /** Sends the changes; not called if there are none. */
  save: (stored: R, values: V) => Promise<unknown>;
  /** Of what `save` rejected with. */
  refusalOf: (error: unknown, values: V) => Refusal<R, V>;
  /** The message after a save. */
  saved: string;
  /** The save as the log has it, if it can be undone there. */
  undoOf?: (stored: R, values: V) => Change | null;
  /** Called when the edit ends, saved or cancelled. */
  onClose?: () => void;
}

/** An edit of one record in place. Its state is outside the row, so that neither live changes nor scrolling lose it. */
export interface RowEdit<R, V extends FieldValues> {
  form: UseFormReturn<V>;
  /** The record at the start of its edit; null while none is edited. */
  opened: R | null;
  busy: boolean;
  /** The first problem of the values or the save, as a sentence. */
  error: string | null;
  /** What of the save failed, where `error` is only the reason. */
  failed: string | undefined;
  /** The fields that were stored before a refusal. */
  storedFields: readonly (keyof V)[];
  conflict: EditConflict<R, V>;
  /** The conflict's notice: takes the focus if a save is tried before a version is chosen. */
  notice: RefObject<HTMLDivElement | null>;
  /** Another row was to be edited while this one has changes. */
  isBlocking: boolean;
  start: (record: R) => void;
  save: () => void;
  cancel: () => void;
  /** For the capture phase around the fields: Enter saves, Escape cancels. */
  onKeyDown: (event: KeyboardEvent) => void;
}

export function useRowEdit<R, V extends FieldValues>(options: RowEditOptions<R, V>): RowEdit<R, V> {
  const { form, initial, liveOf, valuesOf, differing, refusalOf, onClose } = options;
  const interrupted = useInterruptedEdit<R, V>(options.name);
  const [isRestored, setRestored] = useState(!interrupted);
  const [opened, setOpened] = useState<R | null>(interrupted?.opened ?? initial ?? null);
  const [storedFields, setStoredFields] = useState<readonly (keyof V)[]>([]);
  const [failed, setFailed] = useState<string>();
  const [isBlocking, setBlocking] = useState(false);
  const offerUndo = useOfferUndo();
  const notice = useRef<HTMLDivElement>(null);
  const { isSubmitting: busy, errors } = useFormState({ control: form.control });
  const typed = useWatch({ control: form.control, compute: (values) => values });
  const conflict = useEditConflict<R, V>({
    opened,
    live: opened === null ? undefined : isRestored ? liveOf(opened) : opened,
    valuesOf,
    differing,
    typed,
    fill: form.reset,
    saving: busy,
  });
  const { stored, theirs, outcome, savedPart } = conflict;
  const hasChanges = (record: R, values: V): boolean =>
    differing(valuesOf(record), values).length > 0;
  const restore = useEffectEvent(() => {
    if (!interrupted) return;
    form.reset(interrupted.values);
    setRestored(true);
  });
  useEffect(() => restore(), []);
  const isChanged = stored !== null && hasChanges(stored, typed);
  useKeepEdit(options.name, isChanged ? { opened: stored, values: typed } : null);
  const open = (record: R | null): void => {
    setOpened(record);
    setStoredFields([]);
    setFailed(undefined);
    setBlocking(false);
    if (record !== null) form.reset(valuesOf(record));
  };
  const close = (): void => {
    open(null);
    onClose?.();
  };
  const send = async (values: V): Promise<void> => {
    if (stored === null) return;
    try {
      if (hasChanges(stored, values)) await options.save(stored, values);
      const change = options.undoOf?.(stored, values) ?? null;
      if (change) offerUndo(options.saved, change);
      else showToast({ text: options.saved });
      close();
    } catch (error) {
      const { text, failed: what, field, partly } = refusalOf(error, values);
      if (partly) {
        savedPart(partly.record);
        form.reset(partly.values);
      }
      setStoredFields(partly?.fields ?? []);
      setFailed(what);
      form.setError(
        field ?? 'root',
        { type: SAID_BY_SERVER, message: text },
        { shouldFocus: true },
      );
    }
  };
  const save = (): void => {
    if (stored === null || busy || outcome === 'deleted') return;
    setBlocking(false);
    if (theirs) notice.current?.focus();
    else void form.handleSubmit(send)();
  };
  const cancel = (): void => {
    if (!busy) close();
  };
  return {
    form,
    opened,
    busy,
    error: firstError(errors)?.message ?? null,
    failed: firstError(errors)?.type === SAID_BY_SERVER ? failed : undefined,
    storedFields,
    conflict,
    notice,
    isBlocking,
    start: (record) => {
      if (busy || isChanged) setBlocking(true);
      else open(record);
    },
    save,
    cancel,
    onKeyDown: (event) => saveOrCancel(event, { save, cancel }),
  };
}

function firstError(errors: FieldErrors): { type: unknown; message: string } | null {
  for (const error of Object.values(errors))
    if (typeof error?.message === 'string') return { type: error.type, message: error.message };
  return null;
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
  edit?: { error: string | null; busy: boolean },
): void {
  const last = useRef<RecordId | null>(null);
  const refused = edit?.busy ? null : (edit?.error ?? null);
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
    setOpen: (record, open) => {
      const next = new Map(opened);
      if (open) next.set(idOf(record), record);
      else next.delete(idOf(record));
      setOpened(next);
    },
  };
}

interface RowEditNotesProps<R, V extends FieldValues>
  extends Pick<EditConflictNoticeProps<R, V>, 'what' | 'labelOf' | 'inWords'> {
  edit: RowEdit<R, V>;
}

/** What there is to say below an edited row; null if nothing. */
export function rowEditNotes<R, V extends FieldValues>(props: RowEditNotesProps<R, V>): ReactNode {
  const { conflict, error, isBlocking } = props.edit;
  return conflict.theirs !== null || conflict.outcome !== null || error !== null || isBlocking ? (
    <RowEditNotes {...props} />
  ) : null;
}

function RowEditNotes<R, V extends FieldValues>({
  edit,
  what,
  labelOf,
  inWords,
}: RowEditNotesProps<R, V>): ReactNode {
  const { t } = useTranslation();
  const { conflict, notice, isBlocking, error, failed, storedFields } = edit;
  return (
    <div className={tab.list}>
      <EditConflictNotice
        ref={notice}
        what={what}
        edit={conflict}
        labelOf={labelOf}
        inWords={inWords}
      />
      {isBlocking ? <Alert tone="accent">{t('admin.table.saveFirst')}</Alert> : null}
      {error !== null ? (
        <Alert tone="bad" title={failed ?? error}>
          {failed === undefined ? null : <p>{error}</p>}
          {storedFields.length > 0
            ? t('admin.table.savedPart', { fields: storedFields.map(labelOf).join(', ') })
            : null}
        </Alert>
      ) : null}
    </div>
  );
}

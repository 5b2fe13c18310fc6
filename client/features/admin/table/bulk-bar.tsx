import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BulkAnswer, MAX_BULK } from '../../../../shared/schemas/bulk.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { type Selection, SelectionBar } from '../../../ui/selection/selection.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndoOf } from '../forms/undo.ts';
import tab from '../tab.module.css';
import styles from './table.module.css';

/** An action for several records at once. The counts in its sentences are of the records that it changes. */
export interface BulkAction<R> {
  id: string;
  label: string;
  /** Whether it changes a selected record; the others stay as they are. */
  appliesTo: (record: R) => boolean;
  /** The question's title and its button. `names` is how many different names the records have. */
  question: (count: number, names: number, records: readonly R[]) => string;
  /** The consequence, and a choice if the action needs one. */
  text: (records: readonly R[]) => ReactNode;
  harmless?: boolean;
  /** How many claims it deletes. Several are announced in one message. */
  deletesClaims?: (records: readonly R[]) => number;
  isNotUndoable?: (records: readonly R[]) => boolean;
  /** How many records the server changes, if these are not the rows. */
  changes?: (records: readonly R[]) => number;
  run: (ids: readonly number[], records: readonly R[]) => Promise<BulkAnswer>;
  done: (count: number) => string;
}

interface BulkBarProps<R> {
  selection: Selection;
  order: readonly string[];
  /** All selected records, shown or hidden. */
  records: readonly R[];
  nameOf: (record: R) => string;
  actions: readonly BulkAction<R>[];
  /** Takes the focus after an action. */
  list: RefObject<HTMLElement | null>;
}

/** The actions for selected records. Each is confirmed first, sent as one call, and can be undone from its message. */
export function BulkBar<R extends { id: number }>({
  selection,
  order,
  records,
  nameOf,
  actions,
  list,
}: BulkBarProps<R>): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string | null>(null);
  const opened = actions.find(({ id }) => id === open);
  return (
    <>
      <SelectionBar selection={selection} order={order}>
        {actions.map(({ id, label, appliesTo, harmless, changes }) => {
          const affected = records.filter(appliesTo);
          if (affected.length === 0) return null;
          if ((changes?.(affected) ?? affected.length) > MAX_BULK) {
            return (
              <BlockedButton key={id} small reason={t('admin.bulk.tooMany', { count: MAX_BULK })}>
                {label}
              </BlockedButton>
            );
          }
          return (
            <Button
              key={id}
              small
              className={harmless ? undefined : tab.destructive}
              onClick={() => setOpen(id)}
            >
              {label}
            </Button>
          );
        })}
      </SelectionBar>
      {opened ? (
        <BulkDialog
          action={opened}
          records={records}
          nameOf={nameOf}
          selection={selection}
          onClose={() => setOpen(null)}
          list={list}
        />
      ) : null}
    </>
  );
}

/** More records than these are only counted. */
const MAX_NAMES = 10;

interface BulkDialogProps<R>
  extends Pick<BulkBarProps<R>, 'records' | 'nameOf' | 'selection' | 'list'> {
  action: BulkAction<R>;
  onClose: () => void;
}

/** Names the records and the consequence. Its counts follow live changes while it is open. */
function BulkDialog<R extends { id: number }>({
  action,
  records,
  nameOf,
  selection,
  onClose,
  list,
}: BulkDialogProps<R>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndoOf();
  const affected = records.filter(action.appliesTo);
  const count = affected.length;
  const unchanged = records.length - count;
  const names = [...new Set(affected.map(nameOf))];
  const question = action.question(count, names.length, affected);
  const more = names.length - MAX_NAMES;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={question}
      text={
        <Stack>
          {action.text(affected)}
          <p className={styles.names}>
            {names.slice(0, MAX_NAMES).join(', ')}
            {more > 0 ? ` ${t('admin.bulk.andMore', { count: more })}` : null}
          </p>
          <p>
            {t(action.isNotUndoable?.(affected) ? 'admin.bulk.notUndoable' : 'admin.bulk.undoable')}
          </p>
          {(action.deletesClaims?.(affected) ?? 0) > 1 ? (
            <p>{t('admin.notifications.oneMessage')}</p>
          ) : null}
          {unchanged > 0 ? (
            <p className="muted small">{t('admin.bulk.unchanged', { count: unchanged })}</p>
          ) : null}
        </Stack>
      }
      confirmLabel={question}
      harmless={action.harmless}
      onConfirm={async () => {
        if (count === 0) return;
        const { changed, activity_id } = await action.run(
          affected.map(({ id }) => id),
          affected,
        );
        selection.clear();
        if (changed === 0) showToast({ tone: 'plain', text: t('admin.bulk.nothing') });
        else offerUndo(action.done(changed), activity_id);
      }}
      errorText={(error) => t('admin.bulk.failed', { reason: errorText(error) })}
      focusAfter={list}
    />
  );
}

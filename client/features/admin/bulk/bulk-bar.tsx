import { type ReactNode, type RefObject, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BulkAnswer, MAX_BULK } from '../../../../shared/schemas/bulk.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { BlockedButton, Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx';
import { type Selection, SelectionBar } from '../../../ui/selection/selection.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { useOfferUndoOf } from '../activity/undo.ts';
import tab from '../tab.module.css';
import styles from './bulk.module.css';

/** Something that can be done with several records. Its sentences are said of as many as it changes. */
export interface BulkDeedOf<R> {
  id: string;
  /** Of its button in the bar. */
  label: string;
  /** Of the selected those that it changes; the others stay as they are. */
  concerns: (record: R) => boolean;
  /** What is asked, and what the button says that does it. */
  ask: (count: number) => string;
  /** What comes of it, and what is to be chosen for it. */
  text: (records: readonly R[]) => ReactNode;
  harmless?: boolean;
  /** How many claims it deletes: members and channels hear of several by one message. */
  deletesClaims?: (records: readonly R[]) => number;
  /** It takes so much that it cannot be undone. */
  isFinal?: (records: readonly R[]) => boolean;
  carryOut: (ids: readonly number[]) => Promise<BulkAnswer>;
  done: (count: number) => string;
}

interface BulkBarProps<R> {
  selection: Selection;
  order: readonly string[];
  /** All that are selected, shown or not. */
  records: readonly R[];
  nameOf: (record: R) => string;
  deeds: readonly BulkDeedOf<R>[];
  /** Gets the focus when the bar has done its work. */
  list: RefObject<HTMLElement | null>;
}

/** What can be done with the selected records of a list: asked first, done by one call, and undone from its message. */
export function BulkBar<R extends { id: number }>({ selection, order, records, nameOf, deeds, list }: BulkBarProps<R>): ReactNode {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string | null>(null);
  const asked = deeds.find(({ id }) => id === open);
  return (
    <>
      <SelectionBar selection={selection} order={order}>
        {deeds.map(({ id, label, concerns, harmless }) => {
          const count = records.filter(concerns).length;
          if (count === 0) return null;
          if (count > MAX_BULK) {
            return (
              <BlockedButton key={id} small reason={t('admin.bulk.tooMany', { count: MAX_BULK })}>
                {label}
              </BlockedButton>
            );
          }
          return (
            <Button key={id} small className={harmless ? undefined : tab.destructive} onClick={() => setOpen(id)}>
              {label}
            </Button>
          );
        })}
      </SelectionBar>
      {asked ? (
        <BulkDialog deed={asked} records={records} nameOf={nameOf} selection={selection} onClose={() => setOpen(null)} list={list} />
      ) : null}
    </>
  );
}

/** As many are named one by one. */
const NAMED = 10;

interface BulkDialogProps<R> extends Pick<BulkBarProps<R>, 'records' | 'nameOf' | 'selection' | 'list'> {
  deed: BulkDeedOf<R>;
  onClose: () => void;
}

/** Says how many it is about, who they are and what comes of it; it stays live while it is open. */
function BulkDialog<R extends { id: number }>({ deed, records, nameOf, selection, onClose, list }: BulkDialogProps<R>): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const offerUndo = useOfferUndoOf();
  const concerned = records.filter(deed.concerns);
  const count = concerned.length;
  const others = records.length - count;
  const ask = deed.ask(count);
  const names = [...new Set(concerned.map(nameOf))];
  const more = names.length - NAMED;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={ask}
      text={
        <div className={styles.about}>
          {deed.text(concerned)}
          <p className={styles.names}>
            {names.slice(0, NAMED).join(', ')}
            {more > 0 ? ` ${t('admin.bulk.andMore', { count: more })}` : null}
          </p>
          <p>{t(deed.isFinal?.(concerned) ? 'admin.bulk.final' : 'admin.bulk.undoable')}</p>
          {(deed.deletesClaims?.(concerned) ?? 0) > 1 ? <p>{t('admin.notifications.oneMessage')}</p> : null}
          {others > 0 ? <p className={styles.others}>{t('admin.bulk.others', { count: others })}</p> : null}
        </div>
      }
      confirmLabel={ask}
      harmless={deed.harmless}
      onConfirm={async () => {
        if (count === 0) return;
        const { changed, activity_id } = await deed.carryOut(concerned.map(({ id }) => id));
        selection.clear();
        if (changed === 0) showToast({ tone: 'plain', text: t('admin.bulk.nothing') });
        else offerUndo(deed.done(changed), activity_id);
      }}
      errorText={(error) => t('admin.bulk.failed', { reason: errorText(error) })}
      focusAfter={list}
    />
  );
}

import type { ReactNode, Ref } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { EditConflict } from '../../../lib/use-edit-conflict.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { wordsOf } from '../../../ui/form/fields.ts';
import type { RecordForm } from '../../../ui/form/record-form.ts';
import { Cluster } from '../../../ui/layout.tsx';
import styles from './edit-conflict.module.css';

export interface EditConflictNoticeProps<R, V extends object, F extends keyof V = keyof V> {
  /** Takes the focus when a save is tried before a version is chosen. */
  ref?: Ref<HTMLDivElement> | undefined;
  what:
    | 'event'
    | 'memberType'
    | 'respawn'
    | 'category'
    | 'accessKey'
    | 'claim'
    | 'channel'
    | 'discordApp';
  edit: EditConflict<R, V, F>;
  labelOf: (field: F) => string;
  /** Their value of a field; empty if it has none. */
  inWords: (field: F, theirs: V) => ReactNode;
}

interface FormNotesProps<R, V extends FieldValues, I>
  extends Pick<EditConflictNoticeProps<R, V>, 'what'> {
  form: RecordForm<R, V, I>;
  /** The title of a refusal that is about no single field. */
  failed?: string;
}

/** Below a form's fields: another admin's change to the record, and why the server refused it. */
export const FormNotes = <R, V extends FieldValues, I>({
  form: { notice, conflict, fields, error },
  what,
  failed,
}: FormNotesProps<R, V, I>): ReactNode => (
  <>
    <EditConflictNotice
      ref={notice}
      what={what}
      edit={conflict}
      labelOf={(field) => fields[field].label}
      inWords={(field, theirs) => wordsOf(fields, field, theirs)}
    />
    {failed && error ? (
      <Alert tone="bad" title={failed}>
        {error}
      </Alert>
    ) : null}
  </>
);

/** Shows another admin's version and asks which one stays; or says that the form took it over, or that the record is gone. */
function EditConflictNotice<R, V extends object, F extends keyof V = keyof V>({
  ref,
  what,
  edit,
  labelOf,
  inWords,
}: EditConflictNoticeProps<R, V, F>): ReactNode {
  const { t } = useTranslation();
  const { theirs, changed, outcome, loadTheirs, keepMine } = edit;
  return (
    <>
      {theirs ? (
        <div ref={ref} tabIndex={-1} className={styles.notice}>
          <Alert tone="accent" title={t(`admin.editConflict.${what}.changed`)}>
            <p>{t('admin.editConflict.choose')}</p>
            <dl className={styles.theirs}>
              {changed.map((field) => (
                <div key={String(field)}>
                  <dt>{labelOf(field)}</dt>
                  <dd>{inWords(field, theirs) || t('admin.editConflict.none')}</dd>
                </div>
              ))}
            </dl>
            <Cluster>
              <Button small onClick={loadTheirs}>
                {t('admin.editConflict.load')}
              </Button>
              <Button small onClick={keepMine}>
                {t('admin.editConflict.keep')}
              </Button>
            </Cluster>
          </Alert>
        </div>
      ) : null}
      {outcome === 'kept' ? <Alert tone="accent">{t('admin.editConflict.kept')}</Alert> : null}
      {outcome === 'refreshed' || outcome === 'deleted' ? (
        <Alert tone={outcome === 'deleted' ? 'bad' : 'accent'}>
          {t(`admin.editConflict.${what}.${outcome}`)}
        </Alert>
      ) : null}
    </>
  );
}

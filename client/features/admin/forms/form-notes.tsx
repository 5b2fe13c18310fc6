import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { wordsOf } from '../../../ui/form/fields.ts';
import type { RecordForm } from '../../../ui/form/record-form.ts';
import { Cluster } from '../../../ui/layout.tsx';
import tab from '../tab.module.css';

export interface FormNotesProps<R, V extends FieldValues, I> {
  form: RecordForm<R, V, I>;
  what:
    | 'event'
    | 'memberType'
    | 'respawn'
    | 'category'
    | 'accessKey'
    | 'claim'
    | 'channel'
    | 'discordApp';
  /** The title of a refusal that is about no single field. */
  failed?: string;
}

/**
 * Below a form's fields: another admin's version, with the question which one stays; whether the form took it over, or the record is
 * gone; and why the server refused the form.
 */
export function FormNotes<R, V extends FieldValues, I>({
  form: { notice, conflict, fields, error },
  what,
  failed,
}: FormNotesProps<R, V, I>): ReactNode {
  const { t } = useTranslation();
  const { theirs, changed, outcome, loadTheirs, keepMine } = conflict;
  return (
    <>
      {theirs ? (
        <div ref={notice} tabIndex={-1} className={tab.notice}>
          <Alert tone="accent" title={t(`admin.editConflict.${what}.changed`)}>
            <p>{t('admin.editConflict.choose')}</p>
            <dl className={tab.theirs}>
              {changed.map((field) => (
                <div key={field}>
                  <dt>{fields[field].label}</dt>
                  <dd>{wordsOf(fields, field, theirs) || t('admin.editConflict.none')}</dd>
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
      {failed && error ? (
        <Alert tone="bad" title={failed}>
          {error}
        </Alert>
      ) : null}
    </>
  );
}

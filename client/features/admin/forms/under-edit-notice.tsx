import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import styles from './under-edit.module.css';
import type { UnderEdit } from './use-under-edit.ts';

export interface UnderEditNoticeProps<R, V extends object> {
  /** Takes the focus when a save was tried before a choice was made. */
  ref?: Ref<HTMLDivElement> | undefined;
  what: 'event' | 'memberType' | 'respawn' | 'category' | 'claim' | 'destination';
  edit: UnderEdit<R, V>;
  labelOf: (field: keyof V) => string;
  /** Their value of a field; empty where it has none. */
  inWords: (field: keyof V, theirs: V) => ReactNode;
}

/** Another admin saved what is edited here: whose version stays is asked before anything is overwritten. */
export function UnderEditNotice<R, V extends object>({ ref, what, edit, labelOf, inWords }: UnderEditNoticeProps<R, V>): ReactNode {
  const { t } = useTranslation();
  const { theirs, changed, outcome, loadTheirs, keepMine } = edit;
  return (
    <>
      {theirs ? (
        <div ref={ref} tabIndex={-1} className={styles.notice}>
          <Alert tone="accent" title={t(`admin.underEdit.${what}.changed`)}>
            <p>{t('admin.underEdit.choose')}</p>
            <dl className={styles.theirs}>
              {changed.map((field) => (
                <div key={String(field)}>
                  <dt>{labelOf(field)}</dt>
                  <dd>{inWords(field, theirs) || t('admin.underEdit.none')}</dd>
                </div>
              ))}
            </dl>
            <div className={styles.choices}>
              <Button small onClick={loadTheirs}>
                {t('admin.underEdit.load')}
              </Button>
              <Button small onClick={keepMine}>
                {t('admin.underEdit.keep')}
              </Button>
            </div>
          </Alert>
        </div>
      ) : null}
      {outcome === 'kept' ? <Alert tone="accent">{t('admin.underEdit.kept')}</Alert> : null}
      {outcome === 'followed' || outcome === 'deleted' ? (
        <Alert tone={outcome === 'deleted' ? 'bad' : 'accent'}>{t(`admin.underEdit.${what}.${outcome}`)}</Alert>
      ) : null}
    </>
  );
}

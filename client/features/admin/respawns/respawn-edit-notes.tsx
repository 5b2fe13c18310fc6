import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../../../store/board-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { UnderEditNotice } from '../forms/under-edit-notice.tsx';
import type { RespawnValues } from './respawn-values.ts';
import styles from './respawns.module.css';
import type { RespawnEdit } from './use-respawn-edit.ts';

/** What there is to say about the row that is edited; null for nothing. */
export function RespawnEditNotes({ edit: { others, notice, failure, inTheWay } }: { edit: RespawnEdit }): ReactNode {
  const { t } = useTranslation();
  const categories = useBoard((board) => board.byKind.category);
  const labelOf = (field: keyof RespawnValues): string => t(`admin.respawns.fields.${field}`);
  const inWords = (field: keyof RespawnValues, values: RespawnValues): string => {
    if (field === 'name') return values.name;
    if (field === 'is_enabled') return values.is_enabled ? t('admin.respawns.enabled') : t('admin.respawns.disabled');
    if (field === 'image') return t('admin.respawns.otherImage');
    return (values.category_id === null ? null : categories.get(values.category_id)?.name) ?? t('admin.respawns.noCategory');
  };
  return (
    <div className={styles.notes}>
      <UnderEditNotice ref={notice} what="respawn" edit={others} labelOf={labelOf} inWords={inWords} />
      {inTheWay ? <Alert tone="accent">{t('admin.respawns.saveFirst')}</Alert> : null}
      {failure ? (
        <Alert tone="bad" title={failure.text}>
          {failure.saved.length > 0 ? t('admin.respawns.savedPart', { fields: failure.saved.map(labelOf).join(', ') }) : null}
        </Alert>
      ) : null}
    </div>
  );
}

/** Whether there is anything to say. */
export const hasNotes = ({ others, failure, inTheWay }: RespawnEdit): boolean =>
  others.theirs !== null || others.outcome !== null || failure !== null || inTheWay;

import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '../../../../shared/schemas/activity.ts';
import { undoActivity } from '../../../api/calls.ts';
import { ApiError } from '../../../api/request.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { ClaimsInTheWay, claimsOf, countOf } from '../forms/claims-in-the-way.tsx';
import styles from './activity.module.css';
import { FactList } from './entry-details.tsx';
import { restorableBy, restoredText } from './restorable.ts';
import { useFacts } from './use-facts.ts';

/** Names what comes back before it does; a refusal says what is in the way. */
export function RestoreDialog({ entry, onClose }: { entry: ActivityEntry | null; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const what = entry ? restorableBy(entry.action) : 'claim';
  return (
    <Dialog open={entry !== null} onOpenChange={onClose} title={t(`admin.activity.confirm.${what}`)}>
      {entry ? <Restore entry={entry} onClose={onClose} /> : null}
    </Dialog>
  );
}

function Restore({ entry, onClose }: { entry: ActivityEntry; onClose: () => void }): ReactNode {
  const { t } = useTranslation();
  const { factsOf } = useFacts();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const { deleted_count, claim_count } = entry.details;
  const restore = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      const { restored_claims: count } = await undoActivity(entry.id);
      showToast({ text: restoredText(t, entry.action, count) });
      onClose();
    } catch (error) {
      setRefusal(error);
    }
    setBusy(false);
  };
  const text = {
    claim: () => t('admin.activity.confirm.claimText'),
    claims: () => t('admin.activity.confirm.claimsText', { count: Number(deleted_count) }),
    event: () => t('admin.activity.confirm.eventText', { count: Number(claim_count) }),
    respawn: () => t('admin.activity.confirm.respawnText', { count: Number(claim_count) }),
    category: () => t('admin.activity.confirm.categoryText'),
    memberType: () => t('admin.activity.confirm.memberTypeText'),
    key: () => t('admin.activity.confirm.keyText'),
    record: () => t('admin.activity.confirm.recordText'),
    deed: () => t('admin.activity.confirm.deedText'),
  }[restorableBy(entry.action)]();
  return (
    <>
      <div className={styles.coming}>
        <p>{text}</p>
        <p className={styles.comingFacts}>
          <FactList facts={factsOf(entry)} />
        </p>
      </div>
      {refusal ? <RestoreRefusal error={refusal} /> : null}
      <DialogActions onCancel={onClose} busy={busy}>
        <Button variant="primary" busy={busy} onClick={() => void restore()}>
          {t('admin.activity.confirm.confirm')}
        </Button>
      </DialogActions>
    </>
  );
}

/** Why something cannot be put back, with the claims in the way. It takes the focus. */
function RestoreRefusal({ error }: { error: unknown }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) box.current?.focus();
  }, [error]);
  const claims = error instanceof ApiError && error.code === 'activity.hoursTaken' ? claimsOf(error) : undefined;
  return (
    <div ref={box} tabIndex={-1} className={styles.refusal}>
      <Alert tone="bad" title={claims ? t('admin.activity.inTheWayText', { count: countOf(error) }) : undefined}>
        {claims ? (
          <ClaimsInTheWay claims={claims} count={countOf(error)} />
        ) : (
          t('admin.activity.restoreFailed', { reason: errorText(error) })
        )}
      </Alert>
    </div>
  );
}

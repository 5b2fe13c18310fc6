import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { moveClaim } from '../../../../api/admin-calls.ts';
import { useErrorText } from '../../../../lib/words/error-text.ts';
import { inNameOrder } from '../../../../lib/words/order.ts';
import { useBoard } from '../../../../state/board-store.ts';
import { Alert } from '../../../../ui/alert.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../../ui/dialog/dialog.tsx';
import { Field } from '../../../../ui/fields/field.tsx';
import { Select } from '../../../../ui/fields/select.tsx';
import { showToast } from '../../../../ui/toast.tsx';
import { useDayInWords } from '../claim-words.tsx';
import { DayOverview, useDayClaims } from '../day-overview.tsx';
import { conflicting } from '../times-dialog.tsx';
import styles from './bar-actions.module.css';

interface MoveDialogProps {
  claim: ClaimOnRespawn;
  /** The claim as it is now; undefined when it is gone. */
  live: ClaimOnRespawn | undefined;
  onClose: () => void;
}

/** Moves a claim to another spot at the same hours, and names conflicting claims in advance. */
export function MoveDialog({ claim, live, onClose }: MoveDialogProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const from = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const { character_name: name, hour_start: start, hour_end: end } = live ?? claim;
  const about = { name, respawn: from, day: dayInWords(claim), hours: t('time.range', { start, end }) };
  return (
    <Dialog open onOpenChange={onClose} title={t('admin.claims.move.title')} description={t('admin.claims.move.about', about)}>
      {live ? <MoveForm claim={live} onDone={onClose} /> : <Alert tone="bad">{t('admin.claims.move.gone')}</Alert>}
    </Dialog>
  );
}

function MoveForm({ claim, onDone }: { claim: ClaimOnRespawn; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const respawns = useBoard((board) => board.byKind.respawn);
  const [chosen, setChosen] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const whyId = useId();
  const spots = useMemo(
    () =>
      inNameOrder(
        [...respawns.values()].filter(({ is_enabled }) => is_enabled === 1),
        ({ name }) => name,
      ),
    [respawns],
  );
  const to = spots.find(({ id }) => `${id}` === chosen);
  // The claim after the move.
  const there = { ...claim, respawn_id: to?.id ?? claim.respawn_id };
  const { others, status } = useDayClaims(there);
  const blocking = to ? conflicting(claim, claim, others) : [];
  const isReady = to !== undefined && blocking.length === 0;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await moveClaim(claim.id, to.id);
      showToast({ text: t('admin.claims.move.moved', { name: claim.character_name, respawn: to.name }) });
      onDone();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <form noValidate className={styles.move} onSubmit={(event) => void submit(event)}>
      <Field label={t('admin.claims.move.to')}>
        <Select
          value={chosen}
          placeholder={t('admin.claims.move.choose')}
          options={spots.map(({ id, name }) => ({ value: `${id}`, label: name, disabled: id === claim.respawn_id }))}
          onChange={(next) => {
            setFailure(null);
            setChosen(next);
          }}
        />
      </Field>
      {to ? <DayOverview claim={there} times={claim} others={others} status={status} /> : null}
      <div id={whyId}>
        {blocking.length > 0 ? (
          <Alert tone="accent">
            {t('admin.claims.move.taken', {
              names: blocking
                .map(({ character_name, hour_start: start, hour_end: end }) => `${character_name}, ${t('time.range', { start, end })}`)
                .join('; '),
            })}
          </Alert>
        ) : null}
        {failure ? <Alert tone="bad">{t('admin.claims.move.failed', { reason: errorText(failure) })}</Alert> : null}
      </div>
      <DialogActions onCancel={onDone} busy={busy}>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!isReady || undefined} aria-describedby={whyId}>
          {t('admin.claims.move.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

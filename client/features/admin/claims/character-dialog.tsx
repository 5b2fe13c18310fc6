import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { moveClaimTo } from '../../../api/admin-calls.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useKnownCharacters } from '../../../state/known-characters.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import { useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';

interface CharacterDialogProps {
  claim: ClaimOnRespawn;
  /** The claim as it is now; undefined when it is gone. */
  live: ClaimOnRespawn | undefined;
  onClose: () => void;
}

/** Moves a claim to another character at once. */
export function CharacterDialog({ claim, live, onClose }: CharacterDialogProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawn = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const { character_name: name, hour_start: start, hour_end: end } = live ?? claim;
  const about = { name, respawn, day: dayInWords(claim), hours: t('time.range', { start, end }) };
  return (
    <Dialog open onOpenChange={onClose} title={t('admin.claims.character.title')} description={t('admin.claims.move.about', about)}>
      {live ? <CharacterForm claim={live} onDone={onClose} /> : <Alert tone="bad">{t('admin.claims.character.gone')}</Alert>}
    </Dialog>
  );
}

function CharacterForm({ claim, onDone }: { claim: ClaimOnRespawn; onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const types = useBoard((board) => board.byKind.member_type);
  const { like, typeOf } = useKnownCharacters();
  const [name, setName] = useState('');
  const [chosenType, setChosenType] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const offerUndo = useOfferUndo();
  const member_type = chosenType ?? typeOf(name) ?? claim.member_type;
  const isReady = tidyName(name) !== '' && nameKey(name) !== nameKey(claim.character_name);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!isReady || busy) return;
    setBusy(true);
    setFailure(null);
    try {
      await moveClaimTo(claim.id, { character_name: name, member_type });
      offerUndo(t('admin.claims.character.moved', { name: tidyName(name) }), {
        action: 'claim_updated',
        matches: (details) => details.claim_id === claim.id,
        undone: t('admin.claims.character.movedBack', { name: claim.character_name }),
      });
      onDone();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return (
    <form noValidate className={styles.move} onSubmit={(event) => void submit(event)}>
      <Field label={t('admin.claims.character.to')}>
        <SuggestedInput
          value={name}
          suggestions={like(name)}
          onChange={(event) => {
            setFailure(null);
            setName(event.target.value);
          }}
        />
      </Field>
      <Field label={t('admin.claims.character.type')}>
        <MemberTypeSelect types={types} value={member_type} onChange={setChosenType} />
      </Field>
      {failure ? <Alert tone="bad">{t('admin.claims.character.failed', { reason: errorText(failure) })}</Alert> : null}
      <DialogActions onCancel={onDone} busy={busy} isChanged={name !== ''}>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!isReady || undefined}>
          {t('admin.claims.character.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

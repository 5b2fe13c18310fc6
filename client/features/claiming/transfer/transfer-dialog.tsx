import { type FormEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { offerClaim, offerSwap } from '../../../api/calls.ts';
import { claimKey } from '../../../lib/claims.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { compareText } from '../../../lib/words/order.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { isUpcoming } from '../../../state/own-claims.ts';
import { useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { WhenText } from '../when-text.tsx';
import styles from './transfer.module.css';

interface TransferDialogProps {
  claim: ClaimOnRespawn;
  way: 'handover' | 'swap';
  onClose: () => void;
}

/** Offers the viewer's own claim to another character, for nothing or for one of theirs. */
export function TransferDialog({ claim, way, onClose }: TransferDialogProps): ReactNode {
  const { t } = useTranslation();
  const key = claimKey(claim);
  const live = useBoard((board) => board.claimsByRespawn.get(claim.respawn_id)?.find((one) => claimKey(one) === key));
  const profile = useSession(({ profiles }) => profiles.find((one) => nameKey(one.characterName) === nameKey(claim.character_name)));
  const isOver = !live || !profile;
  useEffect(() => {
    if (isOver) onClose();
  }, [isOver, onClose]);
  if (isOver) return null;
  const Form = way === 'handover' ? HandoverForm : SwapForm;
  return (
    <Dialog open onOpenChange={onClose} title={t(`transfer.${way}.title`)} description={t(`transfer.${way}.text`)}>
      <Form claim={live} access_key={profile.accessKey} onDone={onClose} />
    </Dialog>
  );
}

interface FormProps {
  claim: ClaimOnRespawn;
  access_key: string;
  onDone: () => void;
}

/** Sends an offer, and says so or why not. */
function useOffer(onDone: () => void) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const send = async (offer: () => Promise<{ to: string }>): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      const { to } = await offer();
      showToast({ text: t('transfer.offered', { to }) });
      onDone();
    } catch (error) {
      setFailure(error);
    }
    setBusy(false);
  };
  return { busy, failure, send, forget: () => setFailure(null) };
}

function Failure({ failure }: { failure: unknown }): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return failure ? <Alert tone="bad">{t('transfer.failed', { reason: errorText(failure) })}</Alert> : null;
}

function HandoverForm({ claim, access_key, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const [to, setTo] = useState('');
  const { busy, failure, send, forget } = useOffer(onDone);
  const names = useOtherNames(claim.character_name);
  const isReady = tidyName(to) !== '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void send(() => offerClaim(claim.id, to, access_key));
  };
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <dl className={styles.sides}>
        <Side label={t('transfer.give')} claim={claim} />
      </dl>
      <Field label={t('transfer.handover.to')}>
        <SuggestedInput
          value={to}
          suggestions={names}
          onChange={(event) => {
            forget();
            setTo(event.target.value);
          }}
        />
      </Field>
      <Failure failure={failure} />
      <DialogActions onCancel={onDone} busy={busy} isChanged={isReady}>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!isReady || undefined}>
          {t('transfer.handover.send')}
        </Button>
      </DialogActions>
    </form>
  );
}

const MAX_SUGGESTED = 200;

/** Other characters that have claims on the board. */
function useOtherNames(own: string): readonly string[] {
  const claims = useBoard((board) => board.byKind.claim);
  return useMemo(() => {
    const names = new Map<string, string>();
    for (const { character_name } of claims.values()) names.set(nameKey(character_name), character_name);
    names.delete(nameKey(own));
    return [...names.values()].sort(compareText).slice(0, MAX_SUGGESTED);
  }, [claims, own]);
}

/** Choices shown at once; the search finds the others. */
const MAX_CHOICES = 6;

function SwapForm({ claim, access_key, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<ClaimOnRespawn | null>(null);
  const { busy, failure, send, forget } = useOffer(onDone);
  const found = useSwappable(claim, typed);
  const { date: today } = useServerSaveTime();
  const spots = useBoard((board) => board.byKind.respawn);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (chosen) void send(() => offerSwap(claim.id, chosen.id, access_key));
  };
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <SearchInput label={t('transfer.swap.search')} value={typed} onChange={(event) => setTyped(event.target.value)} />
      <fieldset className={styles.choices}>
        <legend>{t('transfer.swap.choose')}</legend>
        {found.slice(0, MAX_CHOICES).map((one) => (
          <label key={one.id} className={styles.choice}>
            <input
              type="radio"
              name="claim"
              checked={chosen?.id === one.id}
              onChange={() => {
                forget();
                setChosen(one);
              }}
            />
            <span>
              <b>{one.character_name}</b>, {spots.get(one.respawn_id)?.name ?? ''}
              <br />
              <WhenText date={one.date} start={one.hour_start} end={one.hour_end} today={today} />
            </span>
          </label>
        ))}
        {found.length === 0 ? <p>{t(typed.trim() === '' ? 'transfer.swap.none' : 'transfer.swap.noMatch')}</p> : null}
        {found.length > MAX_CHOICES ? <p>{t('transfer.swap.more', { count: found.length - MAX_CHOICES })}</p> : null}
      </fieldset>
      <dl className={styles.sides}>
        <Side label={t('transfer.give')} claim={claim} />
        {chosen ? <Side label={t('transfer.get')} claim={chosen} /> : null}
      </dl>
      <Failure failure={failure} />
      <DialogActions onCancel={onDone} busy={busy} isChanged={chosen !== null}>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={chosen === null || undefined}>
          {t('transfer.swap.send')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** Where and when a claim is, and whose. */
function Side({
  label,
  claim,
}: {
  label: string;
  claim: Pick<ClaimOnRespawn, 'respawn_id' | 'date' | 'hour_start' | 'hour_end'>;
}): ReactNode {
  const { date: today } = useServerSaveTime();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  return (
    <div className={styles.side}>
      <dt>{label}</dt>
      <dd>
        <b>{spot}</b>
        <br />
        <WhenText date={claim.date} start={claim.hour_start} end={claim.hour_end} today={today} />
      </dd>
    </div>
  );
}

/** Other members' claims that match the search, those of the same date first. A split claim is listed once. */
function useSwappable(own: ClaimOnRespawn, typed: string): readonly ClaimOnRespawn[] {
  const claims = useBoard((board) => board.claimsByRespawn);
  const spots = useBoard((board) => board.byKind.respawn);
  const event = useActiveEvent();
  const clock = useServerSaveClock();
  useServerSaveTime();
  const text = useMemo(
    () => searchIndex((claim: ClaimOnRespawn) => [claim.character_name, spots.get(claim.respawn_id)?.name ?? '']),
    [spots],
  );
  const words = wordsOf(typed);
  const [viewer, now] = [nameKey(own.character_name), serverNow()];
  return [...claims.values()]
    .flat()
    .filter((one) => nameKey(one.character_name) !== viewer && one.split_part_number !== 2 && isUpcoming(one, event, now, clock))
    .filter((one) => words.length === 0 || holds(text(one), words))
    .sort(
      (a, b) =>
        Number(b.date === own.date) - Number(a.date === own.date) ||
        compareText(a.date ?? '', b.date ?? '') ||
        a.hour_start - b.hour_start ||
        a.id - b.id,
    );
}

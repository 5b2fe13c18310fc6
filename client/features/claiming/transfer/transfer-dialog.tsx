import { type ReactNode, type SubmitEvent, useEffect, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errors } from '../../../../shared/error-codes.ts';
import { nameKey, tidyName } from '../../../../shared/rules/names.ts';
import { MAX_RECIPIENTS } from '../../../../shared/rules/transfer.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import type { Transfer } from '../../../../shared/schemas/transfer.ts';
import { getRecipients, offerClaim, offerSwap } from '../../../api/calls.ts';
import { useServerQueryKeepingLast, useSettled } from '../../../api/query.ts';
import type { RuleRefusal } from '../../../lib/refusal.ts';
import { useNearTimeText } from '../../../lib/time-text.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { compareText } from '../../../lib/words/order.ts';
import { holds, searchIndex, wordsOf } from '../../../lib/words/search.ts';
import { useSkipReason } from '../../../lib/words/weekly-claims.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import { serverNow, useServerSaveClock, useServerSaveTime } from '../../../state/clock.ts';
import { currentClaim, isUpcoming } from '../../../state/own-claims.ts';
import { useSession } from '../../../state/session-store.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { SearchInput } from '../../../ui/fields/inputs.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { Stack } from '../../../ui/layout.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { type Action, useAction } from '../../../ui/use-action.ts';
import { WhenText } from '../when-text.tsx';
import { useRefusalText } from '../words.ts';
import { useOfferRefusal, useSwapRefusal } from './swap-check.ts';
import styles from './transfer.module.css';

interface TransferDialogProps {
  claim: ClaimOnRespawn;
  way: 'handover' | 'swap';
  onClose: () => void;
}

/** Offers the viewer's own claim to another character, for nothing or for one of theirs. */
export function TransferDialog({ claim, way, onClose }: TransferDialogProps): ReactNode {
  const { t } = useTranslation();
  const live = useBoard((board) => currentClaim(board, claim));
  const profile = useSession(({ profiles }) =>
    profiles.find((one) => nameKey(one.characterName) === nameKey(claim.character_name)),
  );
  const isOver = !live || !profile;
  useEffect(() => {
    if (isOver) onClose();
  }, [isOver, onClose]);
  if (isOver) return null;
  const Form = way === 'handover' ? HandoverForm : SwapForm;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t(`transfer.${way}.title`)}
      description={t(`transfer.${way}.text`)}
    >
      <Form
        claim={live}
        member_type={profile.memberType}
        access_key={profile.accessKey}
        onDone={onClose}
      />
    </Dialog>
  );
}

interface FormProps {
  claim: ClaimOnRespawn;
  /** The viewer's. */
  member_type: string;
  access_key: string;
  onDone: () => void;
}

type Sent = Pick<Transfer, 'to' | 'expires_at'>;

/** Sends an offer, and says so or why not. */
function useOffer(onDone: () => void): Action<() => Promise<Sent>> {
  const { t } = useTranslation();
  const nearTimeText = useNearTimeText();
  return useAction({
    work: (offer: () => Promise<Sent>) => offer(),
    done: ({ to, expires_at }) => {
      const until = nearTimeText(Date.parse(expires_at), serverNow().getTime());
      showToast({ text: t('transfer.offeredUntil', { to, until }) });
      onDone();
    },
  });
}

/** Why the claim can't be offered to any character, or why the last offer failed. */
function Failure({
  refusal,
  failure,
}: {
  refusal: RuleRefusal | null;
  failure: unknown;
}): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const refusalText = useRefusalText();
  if (refusal) return <Alert tone="bad">{refusalText(refusal)}</Alert>;
  return failure ? (
    <Alert tone="bad">{t('transfer.failed', { reason: errorText(failure) })}</Alert>
  ) : null;
}

function HandoverForm({ claim, access_key, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const { names, isKnown } = useRecipients(typed, access_key);
  const only = typed.trim() !== '' && isKnown && names.length === 1 ? names[0] : undefined;
  const whole = names.find((name) => nameKey(name) === nameKey(typed));
  const named = whole ?? only;
  // Before the names arrive, and without them, the server judges the typed one.
  const to = named ?? (isKnown ? '' : tidyName(typed));
  const refusal = useOfferRefusal(claim);
  const { isBusy: busy, failure, run: send, forget } = useOffer(onDone);
  const isReady = to !== '';
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isReady && refusal === null) send(() => offerClaim(claim.id, to, access_key));
  };
  return (
    <Stack noValidate gap={4} as="form" onSubmit={submit}>
      <Field
        label={t('transfer.handover.to')}
        error={typed.trim() !== '' && isKnown && names.length === 0 ? t('transfer.noName') : null}
      >
        <SuggestedInput
          value={typed}
          suggestions={names}
          // A whole name may be the beginning of another.
          takesFirst={typed !== '' && whole === undefined}
          onChange={(name) => {
            forget();
            setTyped(name);
          }}
          onBlur={() => setTyped(only ?? typed)}
        />
      </Field>
      <dl className={styles.sides}>
        <Side label={t('transfer.give')} claim={claim} />
      </dl>
      <Failure refusal={refusal} failure={failure} />
      <DialogActions onCancel={onDone} busy={busy} isChanged={typed !== ''}>
        <Button
          type="submit"
          variant="primary"
          busy={busy}
          aria-disabled={!isReady || refusal !== null || undefined}
        >
          {t('transfer.handover.send')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

const TYPING_PAUSE_MS = 150;

interface Recipients {
  /** Those that begin with the text, as far as they are known. */
  names: readonly string[];
  /** The server has answered for this text. */
  isKnown: boolean;
}

/** Characters that can be offered a claim, by how their names begin. */
function useRecipients(typed: string, access_key: string): Recipients {
  const begin = nameKey(typed);
  const prefix = useSettled(begin, TYPING_PAUSE_MS);
  const { data } = useServerQueryKeepingLast({
    queryKey: ['transfer recipients', prefix],
    queryFn: async ({ signal }) => ({
      prefix,
      names: await getRecipients(prefix, access_key, signal),
    }),
    gcTime: 0,
    meta: { hasOwnKey: true },
  });
  const names = data?.names.filter((name) => nameKey(name).startsWith(begin)) ?? [];
  // All names of a shorter text are those of a longer one, too.
  const isWhole = data !== undefined && data.names.length < MAX_RECIPIENTS;
  return {
    names,
    isKnown: data?.prefix === begin || (isWhole && begin.startsWith(data.prefix)),
  };
}

/** Choices shown at once; the search finds the others. */
const MAX_CHOICES = 6;

function SwapForm({ claim, member_type, access_key, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen_id, setChosenId] = useState<number | null>(null);
  const refusalOf = useSwapRefusal(claim, { character_name: claim.character_name, member_type });
  const reasonOf = useSwapReason();
  const chosen = useBoard(({ byKind, claimsByRespawn }) => {
    const respawn_id = byKind.claim.get(chosen_id ?? 0)?.respawn_id ?? 0;
    return claimsByRespawn.get(respawn_id)?.find(({ id }) => id === chosen_id) ?? null;
  });
  // The board may have changed since it was chosen.
  const chosenRefusal = chosen && refusalOf(chosen);
  const refusal = useOfferRefusal(claim);
  const isBlocked = refusal !== null || chosenRefusal !== null;
  const { isBusy: busy, failure, run: send, forget } = useOffer(onDone);
  const choices = useChoices(claim, refusalOf, typed);
  const swappable = choices.filter((choice) => choice.refusal === null);
  // The search also finds the others, to say why not.
  const listed = typed.trim() === '' ? swappable : choices;
  const first = listed.slice(0, MAX_CHOICES);
  const isReady = chosen !== null && !isBlocked;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (chosen && !isBlocked) send(() => offerSwap(claim.id, chosen.id, access_key));
  };
  return (
    <Stack noValidate gap={4} as="form" onSubmit={submit}>
      <SearchInput
        label={t('transfer.swap.search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <fieldset className={styles.choices}>
        <legend>{t('transfer.swap.choose')}</legend>
        {GROUPS.map((group) => ({ group, some: first.filter((one) => one.group === group) }))
          .filter(({ some }) => some.length > 0)
          .map(({ group, some }) => (
            // biome-ignore lint/a11y/useSemanticElements: the fieldset around all of them is one field
            <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
              <h3 id={`${id}-${group}`}>{t(`transfer.swap.groups.${group}`)}</h3>
              {some.map((choice) => (
                <ChoiceLine
                  key={choice.claim.id}
                  choice={choice}
                  isChosen={chosen?.id === choice.claim.id}
                  onChoose={() => {
                    forget();
                    setChosenId(choice.claim.id);
                  }}
                />
              ))}
            </div>
          ))}
        {listed.length === 0 ? (
          <p>{t(typed.trim() === '' ? 'transfer.swap.none' : 'transfer.swap.noMatch')}</p>
        ) : null}
        {listed.length > MAX_CHOICES ? (
          <p>{t('transfer.swap.more', { count: listed.length - MAX_CHOICES })}</p>
        ) : null}
      </fieldset>
      <dl className={styles.sides}>
        <Side label={t('transfer.give')} claim={claim} />
        {chosen ? <Side label={t('transfer.get')} claim={chosen} /> : null}
      </dl>
      {chosenRefusal && !refusal ? (
        <Alert tone="bad">{reasonOf(chosenRefusal)}</Alert>
      ) : (
        <Failure refusal={refusal} failure={failure} />
      )}
      <DialogActions onCancel={onDone} busy={busy} isChanged={chosen !== null}>
        <Button type="submit" variant="primary" busy={busy} aria-disabled={!isReady || undefined}>
          {t('transfer.swap.send')}
        </Button>
      </DialogActions>
    </Stack>
  );
}

interface ChoiceLineProps {
  choice: Choice;
  isChosen: boolean;
  onChoose: () => void;
}

/** A claim to ask for; one that can't be swapped says why. */
function ChoiceLine({
  choice: { claim, refusal },
  isChosen,
  onChoose,
}: ChoiceLineProps): ReactNode {
  const reasonOf = useSwapReason();
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  return (
    <label className={styles.choice}>
      <input
        type="radio"
        name="claim"
        checked={isChosen}
        disabled={refusal !== null}
        onChange={onChoose}
      />
      <span>
        <b>{claim.character_name}</b>, {spot}
        <br />
        <WhenText date={claim.date} start={claim.hour_start} end={claim.hour_end} />
        {refusal ? <span className="fine block">{reasonOf(refusal)}</span> : null}
      </span>
    </label>
  );
}

/** The reason beside a claim that can't be swapped, with the name of the character that it is about. */
function useSwapReason(): (refusal: RuleRefusal) => string {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const shortReason = useSkipReason();
  return (refusal) => {
    const { character_name: name, reason } = refusal.params;
    if (refusal.code === 'transfer.cannotHave')
      return t('transfer.swap.theyCannot', { name, reason: shortReason(String(reason)) });
    return errors[refusal.code].about === 'character'
      ? t('transfer.swap.youCannot', { reason: shortReason(refusal.code) })
      : refusalText(refusal);
  };
}

function Side({
  label,
  claim,
}: {
  label: string;
  claim: Pick<ClaimOnRespawn, 'respawn_id' | 'date' | 'hour_start' | 'hour_end'>;
}): ReactNode {
  const spot = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name) ?? '';
  return (
    <div className={styles.side}>
      <dt>{label}</dt>
      <dd>
        <b>{spot}</b>
        <br />
        <WhenText date={claim.date} start={claim.hour_start} end={claim.hour_end} />
      </dd>
    </div>
  );
}

/** How a claim resembles the own one, in the order in which members look for it. */
const GROUPS = ['hours', 'spot', 'rest'] as const;
type Group = (typeof GROUPS)[number];

function groupOf(theirs: ClaimOnRespawn, own: ClaimOnRespawn): Group {
  if (theirs.respawn_id === own.respawn_id) return 'spot';
  const isSame = (['date', 'hour_start', 'hour_end'] as const).every(
    (field) => theirs[field] === own[field],
  );
  return isSame ? 'hours' : 'rest';
}

interface Choice {
  claim: ClaimOnRespawn;
  group: Group;
  refusal: RuleRefusal | null;
}

/** Other members' upcoming claims that match the search: the swappable ones first, then by group, then those of the same date. Split claims are listed once. */
function useChoices(
  own: ClaimOnRespawn,
  refusalOf: (theirs: ClaimOnRespawn) => RuleRefusal | null,
  typed: string,
): readonly Choice[] {
  const claims = useBoard((board) => board.claimsByRespawn);
  const spots = useBoard((board) => board.byKind.respawn);
  const event = useActiveEvent();
  const clock = useServerSaveClock();
  useServerSaveTime();
  const text = useMemo(
    () =>
      searchIndex((claim: ClaimOnRespawn) => [
        claim.character_name,
        spots.get(claim.respawn_id)?.name ?? '',
      ]),
    [spots],
  );
  const words = wordsOf(typed);
  const viewer = nameKey(own.character_name);
  const now = serverNow();
  return [...claims.values()]
    .flat()
    .filter(
      (one) =>
        nameKey(one.character_name) !== viewer &&
        one.split_part_number !== 2 &&
        isUpcoming(one, event, now, clock),
    )
    .filter((one) => words.length === 0 || holds(text(one), words))
    .map((claim) => ({ claim, group: groupOf(claim, own), refusal: refusalOf(claim) }))
    .sort(
      (a, b) =>
        Number(a.refusal !== null) - Number(b.refusal !== null) ||
        GROUPS.indexOf(a.group) - GROUPS.indexOf(b.group) ||
        Number(b.claim.date === own.date) - Number(a.claim.date === own.date) ||
        compareText(a.claim.date ?? '', b.claim.date ?? '') ||
        a.claim.hour_start - b.claim.hour_start ||
        a.claim.id - b.claim.id,
    );
}

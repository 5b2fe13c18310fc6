import {
  type ComponentType,
  type FormEvent,
  type ReactNode,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { tidyName } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { moveClaim, moveClaimTo } from '../../../api/admin-calls.ts';
import { useDayText } from '../../../lib/time-text.ts';
import { useEditConflict } from '../../../lib/use-edit-conflict.ts';
import { useErrorText } from '../../../lib/words/error-text.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { useKnownCharacters } from '../../../state/known-characters.ts';
import { useClaimTime } from '../../../state/permissions.ts';
import { Alert } from '../../../ui/alert.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog/dialog.tsx';
import { DateChips } from '../../../ui/fields/date-chips.tsx';
import { Field } from '../../../ui/fields/field.tsx';
import { MemberTypeSelect } from '../../../ui/fields/member-type-select.tsx';
import { SuggestedInput } from '../../../ui/fields/suggested-input.tsx';
import { useAction } from '../../../ui/use-action.ts';
import { datesOnOffer } from '../../claiming/draft/draft.ts';
import { RespawnPicker } from '../../claiming/respawn-picker.tsx';
import { useInterruptedEdit, useKeepEdit } from '../forms/drafts.ts';
import { EditConflictNotice } from '../forms/edit-conflict.tsx';
import { useOfferUndo } from '../forms/undo.ts';
import { useDayInWords } from './claim-words.tsx';
import styles from './claims.module.css';
import { DayOverview, useDayClaims } from './day-overview.tsx';
import { conflicting } from './times-dialog.tsx';

interface MoveProps {
  claim: ClaimOnRespawn;
  /** The claim as it is now; undefined when it is gone. */
  live: ClaimOnRespawn | undefined;
  onClose: () => void;
}

/** Moves a claim to another spot or date at the same hours, and names conflicting claims in advance. */
export function MoveDialog(props: MoveProps): ReactNode {
  const { t } = useTranslation();
  return <MoveFrame {...props} title={t('admin.claims.move.title')} form={MoveForm} />;
}

/** Moves a claim to another character at once. */
export function CharacterDialog(props: MoveProps): ReactNode {
  const { t } = useTranslation();
  return <MoveFrame {...props} title={t('admin.claims.character.title')} form={CharacterForm} />;
}

interface FormProps {
  /** As it is now. */
  claim: ClaimOnRespawn;
  /** As it was when the dialog was opened. */
  edited: ClaimOnRespawn;
  onDone: () => void;
}

interface FrameProps extends MoveProps {
  title: string;
  form: ComponentType<FormProps>;
}

/** Describes the claim above the form; says so instead if the claim was deleted. */
function MoveFrame({ claim, live, title, form: Form, onClose }: FrameProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const respawn = useBoard((board) => board.byKind.respawn.get(claim.respawn_id)?.name ?? '');
  const { character_name: name, hour_start: start, hour_end: end } = live ?? claim;
  const about = { name, respawn, day: dayInWords(claim), hours: t('time.range', { start, end }) };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={t('admin.claims.move.about', about)}
    >
      {live ? (
        <Form claim={live} edited={claim} onDone={onClose} />
      ) : (
        <Alert tone="bad">{t('admin.claims.move.gone')}</Alert>
      )}
    </Dialog>
  );
}

type Place = Pick<ClaimOnRespawn, 'respawn_id' | 'date'>;

const placeOf = ({ respawn_id, date }: Place): Place => ({ respawn_id, date });
const differingPlace = (before: Place, after: Place): (keyof Place)[] =>
  (['respawn_id', 'date'] as const).filter((field) => before[field] !== after[field]);

function MoveForm({ claim, edited, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const respawns = useBoard((board) => board.byKind.respawn);
  const onBoard = useBoard((board) => board.claimsByRespawn);
  const dates = useDatesToMoveTo(claim);
  const { date: today } = useServerSaveTime();
  const dayText = useDayText();
  const notice = useRef<HTMLDivElement>(null);
  const draft = `place of claim ${edited.id}`;
  const { opened, values } = useInterruptedEdit<ClaimOnRespawn, Place>(draft) ?? {
    opened: edited,
    values: placeOf(edited),
  };
  const [chosen, setChosen] = useState(values);
  const offerUndo = useOfferMoveBack();
  const move = useAction({
    work: (to: Parameters<typeof moveClaim>[1]) => moveClaim(claim.id, to),
    done: () => {
      offerUndo(claim, chosen);
      onDone();
    },
  });
  const edit = useEditConflict<ClaimOnRespawn, Place>({
    opened,
    live: claim,
    valuesOf: placeOf,
    differing: differingPlace,
    typed: chosen,
    fill: setChosen,
    saving: move.isBusy,
  });
  const whyId = useId();
  const spots = useMemo(
    () => [...respawns.values()].filter(({ is_enabled }) => is_enabled === 1),
    [respawns],
  );
  const isElsewhere = chosen.respawn_id !== claim.respawn_id || chosen.date !== claim.date;
  useKeepEdit(draft, isElsewhere ? { opened: edit.stored, values: chosen } : null);
  // The claim after the move.
  const there = { ...claim, ...chosen };
  const { others, status } = useDayClaims(there);
  const blocking = isElsewhere ? conflicting(claim, claim, others) : [];
  const isReady = isElsewhere && blocking.length === 0;
  const choose = (next: Partial<typeof chosen>): void => {
    move.forget();
    setChosen({ ...chosen, ...next });
  };
  const isFree = (respawn_id: number): boolean => {
    const onDay = (onBoard.get(respawn_id) ?? []).filter(
      ({ date }) => date === null || date === chosen.date,
    );
    const rest = onDay.filter(({ id }) => id !== claim.id);
    return conflicting(claim, claim, rest).length === 0;
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (move.isBusy) return;
    if (edit.theirs) notice.current?.focus();
    if (edit.theirs || !isReady) return;
    const isOtherDate = chosen.date !== null && chosen.date !== claim.date;
    move.run({
      respawn_id: chosen.respawn_id,
      ...(isOtherDate && chosen.date ? { date: chosen.date } : {}),
      seen: placeOf(edit.stored ?? claim),
    });
  };
  return (
    <form noValidate className={styles.move} onSubmit={submit}>
      <div className={styles.moveField}>
        <p className={styles.moveLabel}>{t('admin.claims.move.to')}</p>
        <RespawnPicker
          label={t('admin.claims.move.to')}
          respawns={spots}
          chosen={respawns.get(chosen.respawn_id)}
          onChoose={(respawn_id) => choose({ respawn_id })}
          fits={isFree}
        />
      </div>
      {dates.length > 0 && chosen.date !== null ? (
        <div className={styles.moveField}>
          <p className={styles.moveLabel}>{t('admin.claims.move.day')}</p>
          <DateChips
            low
            label={t('admin.claims.move.day')}
            dates={dates}
            value={chosen.date}
            today={today}
            onChange={(date) => choose({ date })}
          />
        </div>
      ) : null}
      <DayOverview claim={there} times={claim} others={others} status={status} />
      <div id={whyId}>
        {blocking.length > 0 ? (
          <Alert tone="accent">
            {t('admin.claims.move.taken', {
              names: blocking
                .map(
                  ({ character_name, hour_start: start, hour_end: end }) =>
                    `${character_name}, ${t('time.range', { start, end })}`,
                )
                .join('; '),
            })}
          </Alert>
        ) : null}
        <EditConflictNotice
          ref={notice}
          what="claim"
          edit={edit}
          labelOf={(field) =>
            t(field === 'date' ? 'admin.claims.move.day' : 'admin.claims.move.to')
          }
          inWords={(field, { respawn_id, date }) =>
            field === 'date' ? date && dayText(date) : (respawns.get(respawn_id)?.name ?? '')
          }
        />
        {move.failure ? (
          <Alert tone="bad">
            {t('admin.claims.move.failed', { reason: errorText(move.failure) })}
          </Alert>
        ) : null}
      </div>
      <DialogActions onCancel={onDone} busy={move.isBusy} isChanged={isElsewhere}>
        <Button
          type="submit"
          variant="primary"
          busy={move.isBusy}
          aria-disabled={!isReady || undefined}
          aria-describedby={whyId}
        >
          {t('admin.claims.move.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

/** The dates of the claim's event, or those ahead; none for a claim that keeps its date. */
function useDatesToMoveTo({
  date,
  event_id,
  is_secondary_claim,
}: ClaimOnRespawn): readonly string[] {
  const event = useBoard((board) => (event_id === null ? null : board.byKind.event.get(event_id)));
  const time = useClaimTime(true);
  if (date === null || is_secondary_claim || event === undefined) return [];
  const offered = datesOnOffer(event, time);
  return offered.includes(date) ? offered : [...offered, date].sort();
}

/** Says where a claim was moved to, with an undo button. */
function useOfferMoveBack(): (
  from: ClaimOnRespawn,
  to: { respawn_id: number; date: string | null },
) => void {
  const { t } = useTranslation();
  const dayText = useDayText();
  const offerUndo = useOfferUndo();
  const nameOf = (id: number): string => useBoard.getState().byKind.respawn.get(id)?.name ?? '';
  return (from, to) => {
    const about = { name: from.character_name, respawn: nameOf(to.respawn_id) };
    const isOtherDate = to.date !== null && to.date !== from.date;
    const text = isOtherDate
      ? t('admin.claims.move.movedToDay', { ...about, day: dayText(to.date ?? '') })
      : t('admin.claims.move.moved', about);
    offerUndo(text, {
      action: 'claim_updated',
      matches: ({ claim_id }) => claim_id === from.id,
      undone: t('admin.claims.move.movedBack', { respawn: nameOf(from.respawn_id) }),
    });
  };
}

interface CharacterValues {
  name: string;
  /** null: not chosen. */
  type: string | null;
}

function CharacterForm({ claim, edited, onDone }: FormProps): ReactNode {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const types = useBoard((board) => board.byKind.member_type);
  const { like, typeOf } = useKnownCharacters();
  const draft = `character of claim ${edited.id}`;
  const { opened, values } = useInterruptedEdit<ClaimOnRespawn, CharacterValues>(draft) ?? {
    opened: edited,
    values: { name: '', type: null },
  };
  const [name, setName] = useState(values.name);
  const [chosenType, setChosenType] = useState(values.type);
  const offerUndo = useOfferUndo();
  const move = useAction({
    work: (to: Parameters<typeof moveClaimTo>[1]) => moveClaimTo(claim.id, to),
    done: (_moved, to) => {
      offerUndo(t('admin.claims.character.moved', { name: tidyName(to.character_name) }), {
        action: 'claim_updated',
        matches: (details) => details.claim_id === claim.id,
        undone: t('admin.claims.character.movedBack', { name: claim.character_name }),
      });
      onDone();
    },
  });
  const member_type = chosenType ?? typeOf(name) ?? claim.member_type;
  /** Whose claim the dialog showed: another admin may move it meanwhile. */
  const [holder, setHolder] = useState(opened.character_name);
  const edit = {
    opened: { ...opened, character_name: holder },
    values: { name, type: chosenType },
  };
  useKeepEdit(draft, name === '' ? null : edit);
  const isMoved = holder !== claim.character_name && !move.isBusy;
  // Another spelling of the same name corrects it.
  const isReady = tidyName(name) !== '' && tidyName(name) !== claim.character_name && !isMoved;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) move.run({ character_name: name, member_type, seen: { character_name: holder } });
  };
  return (
    <form noValidate className={styles.move} onSubmit={submit}>
      <Field label={t('admin.claims.character.to')}>
        <SuggestedInput
          value={name}
          suggestions={like(name)}
          onChange={(event) => {
            move.forget();
            setName(event.target.value);
          }}
        />
      </Field>
      {isMoved ? (
        <Alert
          tone="accent"
          title={t('admin.editConflict.claim.changed')}
          action={
            <Button small onClick={() => setHolder(claim.character_name)}>
              {t('admin.claims.character.moveAnyway', { name: claim.character_name })}
            </Button>
          }
        >
          {t('admin.claims.character.now', { name: claim.character_name })}
        </Alert>
      ) : null}
      <Field label={t('admin.claims.character.type')}>
        <MemberTypeSelect types={types} value={member_type} onChange={setChosenType} />
      </Field>
      {move.failure ? (
        <Alert tone="bad">
          {t('admin.claims.move.failed', { reason: errorText(move.failure) })}
        </Alert>
      ) : null}
      <DialogActions onCancel={onDone} busy={move.isBusy} isChanged={name !== ''}>
        <Button
          type="submit"
          variant="primary"
          busy={move.isBusy}
          aria-disabled={!isReady || undefined}
        >
          {t('admin.claims.character.save')}
        </Button>
      </DialogActions>
    </form>
  );
}

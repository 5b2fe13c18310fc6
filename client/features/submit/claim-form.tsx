import {
  type ReactNode,
  type SubmitEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { type ClaimTime, hoursOver, lastDateAhead } from '../../../shared/rules/claim-time.ts';
import { fitsAt, roomAt } from '../../../shared/rules/free-at.ts';
import { addDays } from '../../../shared/rules/server-save.ts';
import { defaultSplitDurations } from '../../../shared/rules/split.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { occupiedIn } from '../../lib/occupied.ts';
import { useBoard } from '../../state/board-store.ts';
import { type Claimant, isNamed } from '../../state/claim-draft.ts';
import { Button } from '../../ui/button.tsx';
import { Help } from '../../ui/help.tsx';
import { Cluster } from '../../ui/layout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { hoursOverOn, respawnRefusal } from '../claiming/draft/check.ts';
import { primaryDuration, primaryRespawns } from '../claiming/draft/draft.ts';
import { ClaimantFields } from '../claiming/in-place/who-claims.tsx';
import { RespawnPicker } from '../claiming/respawn-picker.tsx';
import { useRefusalText } from '../claiming/words.ts';
import styles from './claim-form.module.css';
import { ClaimSummary, DayPanels } from './claim-summary.tsx';
import { type FormState, nextDay } from './form-state.ts';
import { SecondaryDialog } from './secondary-dialog.tsx';
import { SplitDialog } from './split-dialog.tsx';
import {
  type ClaimFormInput,
  type ClaimFormModel,
  type RowView,
  useClaimForm,
} from './use-claim-form.ts';
import { WhenPanel } from './when-panel.tsx';
import { useRowName } from './words.tsx';

export interface ClaimFormProps extends ClaimFormInput {
  /** An admin chooses the claimant; members do not. */
  onClaimant?: ((claimant: Claimant) => void) | undefined;
  /** Empties a form that opened half filled. */
  onStartOver?: (() => void) | undefined;
}

/** The form, in the order in which people decide: where, when, for how long, extras; beside it the summary. */
export function ClaimForm({ onClaimant, onStartOver, ...input }: ClaimFormProps): ReactNode {
  const { t } = useTranslation();
  const { claimant, event, voucher, maySecondary, closed, time } = input;
  const form = useClaimForm(input);
  const element = useRef<HTMLFormElement>(null);
  const [misses, setMisses] = useState(0);
  const isBusy = form.submission.status === 'busy';
  const isDisabled = closed !== null || isBusy;

  // The first mistake may be far above the button.
  useEffect(() => {
    if (misses > 0) firstMistake(element.current)?.focus();
  }, [misses]);

  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!form.submit()) setMisses((count) => count + 1);
  };

  return (
    <form ref={element} noValidate className={styles.form} onSubmit={onSubmit}>
      <div className={styles.steps}>
        {onStartOver ? (
          <Cluster rowGap={1} gap={3} className={styles.kept}>
            <p role="status">{t('submit.kept.text')}</p>
            <Button small disabled={isBusy} onClick={onStartOver}>
              {t('submit.kept.startOver')}
            </Button>
          </Cluster>
        ) : null}
        <fieldset role="none" disabled={isDisabled} className={styles.steps}>
          {onClaimant ? (
            <WhoPanel
              claimant={claimant}
              tried={form.state.tried}
              onChange={(next) => {
                form.forget();
                onClaimant(next);
              }}
            />
          ) : null}
          <WherePanel form={form} event={event} time={time} />
          <WhenPanel
            form={form}
            event={event}
            voucher={voucher}
            time={time}
            character_name={claimant.character_name}
          />
        </fieldset>
        {/* Outside of the fieldset: its help can be read while claims are closed. */}
        <ExtrasPanel
          form={form}
          event={event}
          voucher={voucher}
          maySecondary={maySecondary}
          time={time}
          isDisabled={isDisabled}
        />
      </div>
      <div className={styles.aside}>
        <ClaimSummary
          form={form}
          character_name={claimant.character_name}
          member_type={claimant.member_type}
          closed={closed}
        />
        <DayPanels form={form} character_name={claimant.character_name} today={time.today} />
      </div>
    </form>
  );
}

/** A field marked as wrong, else the dates if none is chosen, else the start hour. */
function firstMistake(form: HTMLFormElement | null): HTMLElement | null {
  const hasRows = form?.querySelector('[data-row]') !== null;
  const candidates = [
    '[aria-invalid]',
    ...(hasRows ? [] : ['[role="group"] input[type="checkbox"]:not(:checked)']),
    '[data-hour][tabindex="0"]',
  ];
  for (const selector of candidates) {
    const found = form?.querySelector<HTMLElement>(selector);
    if (found) return found;
  }
  return null;
}

interface WhoPanelProps {
  claimant: Claimant;
  /** A submission was tried: a missing name is marked. */
  tried: boolean;
  onChange: (claimant: Claimant) => void;
}

/** An admin's first question: which character, of which member type. */
function WhoPanel({ claimant, tried, onChange }: WhoPanelProps): ReactNode {
  const { t } = useTranslation();
  return (
    <Panel title={t('submit.admin.character')}>
      <div className={styles.who}>
        <ClaimantFields
          claimant={claimant}
          error={tried && !isNamed(claimant) ? t('errors.character.nameRequired') : undefined}
          onChange={onChange}
        />
      </div>
    </Panel>
  );
}

function WherePanel({
  form,
  event,
  time,
}: {
  form: ClaimFormModel;
  event: ActiveEvent | null;
  time: ClaimTime;
}): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const id = useId();
  const fits = useFitsChosen(form.rows, time);
  const rowName = useRowName();
  const open = form.rows.find(({ row }) => row.date === form.state.open_date);
  const error = useSpotError(form);
  return (
    <Panel title={t('submit.where')}>
      <RespawnPicker
        respawns={[...respawns.values()]}
        chosen={form.respawn}
        fits={fits}
        on={
          open && {
            period: open.period,
            name: rowName(open, event?.type === 'single_claim'),
            over: hoursOverOn(open.row, { event, time }),
          }
        }
        onChoose={(respawn_id) => form.change({ type: 'respawn-chosen', respawn_id })}
        errorId={error ? id : undefined}
      />
      {form.needsRespawn ? null : <p className={styles.hint}>{t('submit.split.ownSpots')}</p>}
      {error ? (
        <p id={id} role="alert" className={styles.error}>
          {error}
        </p>
      ) : null}
    </Panel>
  );
}

function useSpotError({ state, respawn, needsRespawn }: ClaimFormModel): string | null {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  if (!needsRespawn) return null;
  if (state.respawn_id === null) return state.tried ? t('errors.claim.selectRespawn') : null;
  const refusal = respawnRefusal(respawn);
  return refusal ? refusalText(refusal) : null;
}

interface Wanted {
  /** null: all of a single_claim event, so that every claim counts. */
  date: string | null;
  hour_start: number;
  duration: number;
  over: number;
}

/**
 * R2.5: whether the chosen hours are free on a spot on every date, as far as the board knows.
 * @returns null while no hours are chosen for the spot: the parts of a split claim have spots of their own
 */
function useFitsChosen(
  rows: readonly RowView[],
  time: ClaimTime,
): ((respawn_id: number) => boolean) | null {
  const claims = useBoard((board) => board.claimsByRespawn);
  const occupied = useBoard((board) => board.occupiedByRespawn);
  return useMemo(() => {
    const wanted = rows.flatMap(({ row, period, duration }): Wanted[] => {
      if (row.split || row.hour_start === null) return [];
      const date = period.event_id === null ? row.date : null;
      return [{ date, hour_start: row.hour_start, duration, over: hoursOver(period.last, time) }];
    });
    if (wanted.length === 0) return null;
    return (respawn_id) => {
      const held = (claims.get(respawn_id) ?? []).filter((claim) => !claim.is_secondary_claim);
      return wanted.every(({ date, over, ...hours }) => {
        const here = held.filter(
          (claim) => date === null || claim.date === null || claim.date === date,
        );
        const taken = [
          ...here,
          ...occupiedIn(
            occupied.get(respawn_id),
            date === null ? null : { first: date, last: date },
          ),
        ];
        return fitsAt(hours, roomAt(hours, taken, over));
      });
    };
  }, [rows, time, claims, occupied]);
}

interface ExtrasPanelProps {
  form: ClaimFormModel;
  event: ActiveEvent | null;
  voucher: number;
  maySecondary: boolean;
  time: ClaimTime;
  isDisabled: boolean;
}

function ExtrasPanel({
  form,
  event,
  voucher,
  maySecondary,
  time,
  isDisabled,
}: ExtrasPanelProps): ReactNode {
  const { t } = useTranslation();
  const { state, rows, change, sameChoice } = form;
  /** The form whose next day was asked for; any other choice makes it another one. */
  const [refusedAt, setRefusedAt] = useState<FormState | null>(null);
  const [open, setOpen] = useState<'split' | 'secondary' | null>(null);
  const reasonId = useId();
  const isWholeEvent = event?.type === 'single_claim';
  const rowName = useRowName();
  const view = rows.find(({ row }) => row.date === state.open_date);
  if (!view) return null;
  const { row, period } = view;
  const { date } = row;
  const isHeld = view.problem?.kind === 'character-has-claim';
  const cannotSplit = defaultSplitDurations(voucher) === null;
  const name = rowName(view, isWholeEvent);
  const close = (): void => setOpen(null);

  const refusalText = (refusal: 'beyondEvent' | 'beyondHorizon' | 'alreadyAdded'): string =>
    refusal === 'beyondHorizon'
      ? t('errors.claim.beyondHorizon', { date: addDays(date, 1), last: lastDateAhead(time) })
      : t(`submit.${refusal}`);
  const next = nextDay(
    date,
    state.rows.map((one) => one.date),
    event,
    time,
  );
  const configureNextDay = (): void => {
    if ('refused' in next) setRefusedAt(state);
    else change({ type: 'date-added', row: sameChoice(next.date, row) });
  };

  return (
    <Panel>
      <Cluster>
        <Button
          disabled={isDisabled || isHeld || (cannotSplit && !row.split)}
          aria-describedby={cannotSplit ? reasonId : undefined}
          onClick={() => setOpen('split')}
        >
          {t(row.split ? 'submit.split.change' : 'submit.split.add')}
        </Button>
        <Help topic={t('submit.split.name')} text={t('submit.split.about')} />
        {maySecondary ? (
          <>
            <Button disabled={isDisabled || isHeld} onClick={() => setOpen('secondary')}>
              {t(row.secondary ? 'submit.secondary.change' : 'submit.secondary.add')}
            </Button>
            <Help topic={t('submit.secondary.name')} text={t('submit.secondary.about')} />
          </>
        ) : null}
        {isWholeEvent ? null : (
          <Button disabled={isDisabled} onClick={configureNextDay}>
            {t('submit.nextDay')}
          </Button>
        )}
      </Cluster>
      {cannotSplit ? (
        <p id={reasonId} className={styles.hint}>
          {t('errors.split.voucherTooShort')}
        </p>
      ) : null}
      {refusedAt === state && 'refused' in next ? (
        <p role="alert" className={styles.error}>
          {refusalText(next.refused)}
        </p>
      ) : null}
      {open === 'split' ? (
        <SplitDialog
          row={row}
          period={period}
          name={name}
          event={event}
          time={time}
          voucher={voucher}
          respawn_id={state.respawn_id}
          taken={view.taken}
          onApply={(split) => change({ type: 'split-changed', date, split })}
          onClose={close}
        />
      ) : null}
      {open === 'secondary' ? (
        <SecondaryDialog
          current={row.secondary}
          period={period}
          name={name}
          primary={primaryRespawns(row, state.respawn_id)}
          duration={primaryDuration(row, voucher)}
          hour={view.parts[0]?.hour_start ?? null}
          over={hoursOverOn(row, { event, time })}
          onApply={(secondary) => change({ type: 'secondary-changed', date, secondary })}
          onClose={close}
        />
      ) : null}
    </Panel>
  );
}

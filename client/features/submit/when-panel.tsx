import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShallow } from 'zustand/react/shallow';
import type { ClaimTime } from '../../../shared/rules/claim-time.ts';
import { eventDate } from '../../../shared/rules/event-period.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import type { StartOffer } from '../../../shared/rules/start-hours.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import type { ActiveEvent } from '../../../shared/schemas/event.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useBoard } from '../../state/board-store.ts';
import { Alert } from '../../ui/alert.tsx';
import { MultiDateChips } from '../../ui/fields/date-chips.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Panel } from '../../ui/panel.tsx';
import { datesOnOffer, durationOf } from '../claiming/draft/draft.ts';
import { useUpcomingText } from '../claiming/words.ts';
import styles from './claim-form.module.css';
import { DateRow } from './date-row.tsx';
import { type FormState, rowKey } from './form-state.ts';
import type { ClaimFormModel, RowView } from './use-claim-form.ts';

interface WhenPanelProps {
  form: ClaimFormModel;
  event: ActiveEvent | null;
  voucher: number;
  time: ClaimTime;
  /** The claimant; empty: not named yet. */
  character_name: string;
}

/** The dates, and for each the start hour and the duration. */
export function WhenPanel({
  form,
  event,
  voucher,
  time,
  character_name,
}: WhenPanelProps): ReactNode {
  const { t } = useTranslation();
  const { state, rows } = form;
  const isWholeEvent = event?.type === 'single_claim';
  return (
    <Panel title={t('submit.when')}>
      {isWholeEvent ? (
        <WholeEvent event={event} />
      ) : (
        <Dates form={form} event={event} time={time} character_name={character_name} />
      )}
      <Stack as="ul" gap={2} className={styles.rows}>
        {rows.map((view) => (
          <DateRow
            key={rowKey(state, view.row.date)}
            view={view}
            respawn_id={state.respawn_id}
            voucher={voucher}
            isOpen={view.row.date === state.open_date}
            hasOthers={rows.length > 1}
            isWholeEvent={isWholeEvent}
            tried={state.tried}
            character_name={character_name}
            today={time.today}
            change={form.change}
            sameHours={sameHours(form, view, voucher)}
            retry={form.retry}
          />
        ))}
      </Stack>
      {isWholeEvent ? null : <DateNotes state={state} today={time.today} />}
    </Panel>
  );
}

/** The hours of the open date, for another one that has none, where they are free; null: not offered. */
function sameHours(
  { state, sameChoice }: ClaimFormModel,
  { row, problem, period }: RowView,
  voucher: number,
): StartOffer | null {
  const open = state.rows.find((one) => one.date === state.open_date);
  if (
    !open ||
    open === row ||
    problem?.kind !== 'hour-missing' ||
    open.split ||
    period.event_id !== null
  )
    return null;
  const { hour_start } = sameChoice(row.date, {
    ...row,
    hour_start: open.hour_start,
    custom_duration: open.custom_duration,
  });
  return hour_start === null ? null : { hour_start, duration: durationOf(open, voucher) };
}

function Dates({
  form: { state, rows, change, sameChoice },
  event,
  time,
  character_name,
}: Omit<WhenPanelProps, 'voucher'>): ReactNode {
  const { t } = useTranslation();
  const upcoming = useUpcomingText()(event, time.today);
  const taken = useTakenDates(character_name);
  const markOf = (date: string): string | null => {
    const is_held = taken.get(date);
    return is_held === undefined
      ? null
      : t(is_held ? 'submit.dateOnlyHeld' : 'submit.dateTaken', { name: character_name });
  };
  const chosen = state.rows.map((row) => row.date);
  const dates = [...new Set([...chosen, ...datesOnOffer(event, time)])].sort();
  const choose = (wanted: string[]): void => {
    const template = state.rows.find((row) => row.date === state.open_date) ?? state.rows.at(-1);
    for (const date of wanted) {
      if (!chosen.includes(date)) change({ type: 'date-added', row: sameChoice(date, template) });
    }
    for (const date of chosen) if (!wanted.includes(date)) change({ type: 'date-removed', date });
  };
  return (
    <>
      <MultiDateChips
        label={t('submit.dates')}
        dates={dates}
        values={chosen}
        today={time.today}
        markOf={markOf}
        onChange={choose}
      />
      {upcoming ? <p className={styles.hint}>{upcoming}</p> : null}
      {rows.length === 0 ? <NoDates tried={state.tried} /> : null}
    </>
  );
}

/** Notes about dates that the form changed, below the hours so that those do not move. */
function DateNotes({ state, today }: { state: FormState; today: string }): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const [firstRow] = state.rows;
  return (
    <>
      {state.is_link_over && firstRow ? (
        <Alert className={styles.oldLink}>
          {firstRow.date === today
            ? t('submit.oldLink.today')
            : t('submit.oldLink.later', { date: dayText(firstRow.date) })}
        </Alert>
      ) : null}
      {state.turn ? (
        <Alert className={styles.oldLink}>
          {t('submit.newDay', { dates: state.turn.over.map((date) => dayText(date)).join(', ') })}
        </Alert>
      ) : null}
    </>
  );
}

/** The dates on which a character has a claim on the board, and whether its hours are only held. */
function useTakenDates(character_name: string): ReadonlyMap<string | null, boolean> {
  const name = nameKey(character_name);
  const claims = useBoard(
    useShallow((board) =>
      name ? [...board.byKind.claim.values()].filter((claim) => isPrimaryOf(claim, name)) : [],
    ),
  );
  return new Map(claims.map(({ date, is_held }) => [date, is_held === 1]));
}

const isPrimaryOf = (
  claim: Pick<ClaimOnRespawn, 'is_secondary_claim' | 'character_name'>,
  name: string,
): boolean => !claim.is_secondary_claim && nameKey(claim.character_name) === name;

function NoDates({ tried }: { tried: boolean }): ReactNode {
  const { t } = useTranslation();
  if (!tried) return <p className={styles.hint}>{t('submit.chooseDates')}</p>;
  return (
    <p role="alert" className={styles.error}>
      {t('errors.claim.datesRequired')}
    </p>
  );
}

/** There is no date to choose: the claim covers every day of the event. */
function WholeEvent({ event }: { event: ActiveEvent }): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const period = {
    start: dayText(eventDate(event.start_time)),
    end: dayText(eventDate(event.end_time)),
  };
  return (
    <Alert tone="accent" title={t('submit.event.title', { name: event.name })}>
      <p>{t('submit.event.text', period)}</p>
      {event.single_claim_template ? (
        <p className={styles.template}>{event.single_claim_template}</p>
      ) : null}
    </Alert>
  );
}

import { type ReactNode, useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { hoursInEvent } from '../../../shared/rules/budget.ts';
import type { HourRange } from '../../../shared/rules/hours.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { HOURS_IN_DAY } from '../../../shared/rules/server-save.ts';
import type { ClaimOnRespawn } from '../../../shared/schemas/claim.ts';
import { claimKey } from '../../lib/claims.ts';
import { useDayText } from '../../lib/time-text.ts';
import { useActiveEvent, useBoard } from '../../state/board-store.ts';
import { useServerSaveTime } from '../../state/clock.ts';
import { useNearDay } from '../../state/near-day.ts';
import { type Choosing, useChoosing } from '../../state/presence-store.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ChoosingLines } from '../../ui/hours/choosing-lines.tsx';
import { HourStrip, useStripBar } from '../../ui/hours/hour-strip.tsx';
import { HoursText, useLocalTime } from '../../ui/hours/hours-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { MemberTypeBadge } from '../../ui/member-type-badge.tsx';
import { Panel } from '../../ui/panel.tsx';
import { primaryRespawns, type RowPart } from '../claiming/draft/draft.ts';
import { claimCount } from '../claiming/draft/submission.ts';
import { SubmissionFailure } from '../claiming/submission-failure.tsx';
import styles from './claim-summary.module.css';
import type { ClaimFormModel, RowView } from './use-claim-form.ts';
import { useBlockedText, useChoiceText, useRowName } from './words.tsx';

interface ClaimSummaryProps {
  form: ClaimFormModel;
  character_name: string;
  member_type: string;
  /** Why nothing can be submitted now; null: it can. */
  closed: string | null;
}

/** The claim as it will be stored, always in view, with the one button. */
export function ClaimSummary({
  form,
  character_name,
  member_type,
  closed,
}: ClaimSummaryProps): ReactNode {
  const { t } = useTranslation();
  const { respawn, rows, submission, needsRespawn, missing } = form;
  const reasonId = useId();
  const reason = useBlockedReason(form, closed, character_name);
  const isLong =
    rows.reduce((lines, { parts, secondary }) => lines + parts.length + (secondary ? 1 : 0), 0) > 1;
  return (
    <Panel title={t('submit.summary.title')} className={styles.summary}>
      {/* A long list scrolls, so the keyboard has to reach it. */}
      <dl className={styles.list} tabIndex={isLong ? 0 : undefined}>
        <div className={styles.character}>
          <dt>{t('submit.summary.character')}</dt>
          <dd title={character_name}>
            {character_name || (
              <span className="faint fine">{t('submit.summary.noCharacter')}</span>
            )}
          </dd>
        </div>
        {needsRespawn ? (
          <div className={styles.spot}>
            <dt>{t('submit.respawn')}</dt>
            <dd>
              {respawn?.name ?? <span className="faint fine">{t('submit.summary.noSpot')}</span>}
            </dd>
          </div>
        ) : null}
        {rows.map((view) => (
          <SummaryRow key={view.row.date} view={view} />
        ))}
      </dl>
      {rows.length === 0 ? <p className="faint fine">{t('submit.summary.noDates')}</p> : null}
      <BudgetLine character_name={character_name} member_type={member_type} />
      <Stack gap={2} className={styles.why}>
        <SubmissionFailure state={submission} />
        {reason ? (
          <p id={reasonId} className={reason.isHint ? styles.hint : 'bad fine medium'}>
            {reason.text}
          </p>
        ) : null}
      </Stack>
      <Button
        type="submit"
        variant={reason ? 'plain' : 'primary'}
        wide
        busy={submission.status === 'busy'}
        // Not `disabled`: another member's claim must not take the focus away. A press leads to the mistake or the missing field.
        aria-disabled={reason !== null && missing === null}
        aria-describedby={reason ? reasonId : undefined}
      >
        {t('submit.summary.button', { count: claimCount(rows.map(({ row }) => row)) })}
      </Button>
    </Panel>
  );
}

interface BlockedReason {
  text: string;
  /** Something is not chosen yet, which is no mistake before a submission is tried. */
  isHint: boolean;
}

/** Why the claims cannot be submitted; null: they can. If an answer was lost, the same submission can be sent again in any case. */
function useBlockedReason(
  { state, rows, submission, isOffline, blocked, missing }: ClaimFormModel,
  closed: string | null,
  name: string,
): BlockedReason | null {
  const { t } = useTranslation();
  const blockedText = useBlockedText();
  const rowName = useRowName();
  const nameOf = (view: RowView): string => rowName(view, view.period.first !== view.period.last);
  const mistake = (text: string): BlockedReason => ({ text, isHint: false });
  if (submission.status === 'unsure') return null;
  if (isOffline) return mistake(t('submit.offline'));
  if (closed !== null) return mistake(closed);
  if (missing !== null && state.tried) return mistake(t('errors.claim.fieldsRequired'));
  if (missing !== null) {
    const text =
      typeof missing === 'string'
        ? t(`submit.missing.${missing}`)
        : t('submit.missing.hour', { date: nameOf(missing), count: rows.length });
    return { text, isHint: true };
  }
  if (!blocked) return null;
  const date = nameOf(blocked.view);
  const reason = blockedText(blocked.problem, name);
  // A claim of a whole event has no other date to choose.
  const hasOtherDates = blocked.view.period.event_id === null;
  if (blocked.problem.kind === 'character-has-claim') {
    return mistake(
      t(hasOtherDates ? 'submit.summary.otherDate' : 'submit.summary.onDate', { date, reason }),
    );
  }
  return mistake(rows.length > 1 ? t('submit.summary.onDate', { date, reason }) : reason);
}

/** The hours of a date, both parts if it is split, and its secondary claim. */
function SummaryRow({ view }: { view: RowView }): ReactNode {
  const { t } = useTranslation();
  const respawns = useBoard((board) => board.byKind.respawn);
  const { row, period, parts, secondary, problem } = view;
  const name = useRowName()(view, period.first !== period.last);
  const nameOf = (respawn_id: number | null): string | undefined =>
    respawn_id === null ? undefined : respawns.get(respawn_id)?.name;
  if (parts.length === 0 || problem?.kind === 'character-has-claim') {
    return (
      <div>
        <dt>{name}</dt>
        <dd className="faint fine">
          {problem?.kind === 'character-has-claim' ? '—' : t('submit.summary.noHours')}
        </dd>
      </div>
    );
  }
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">
        {parts.map((part) => (
          <div key={part.part_number} className={styles.part}>
            {row.split ? (
              <span className={styles.where}>
                {t('submit.split.partAt', {
                  part: part.part_number,
                  respawn: nameOf(part.respawn_id) ?? '—',
                })}
              </span>
            ) : null}
            <SummaryHours date={view.period.first} hours={part} isLost={problem !== null} />
          </div>
        ))}
        {secondary ? (
          <div className={styles.part}>
            <span className={styles.where}>
              {t('submit.secondary.at', {
                priority: secondary.priority,
                respawn: nameOf(secondary.respawn_id) ?? '—',
              })}
            </span>
            <SummaryHours date={view.period.first} hours={secondary} isLost={false} />
          </div>
        ) : null}
      </dd>
    </div>
  );
}

function SummaryHours({
  date,
  hours,
  isLost,
}: {
  date: string;
  hours: HourRange;
  isLost: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const localTime = useLocalTime();
  const choiceText = useChoiceText();
  const { hour_start, hour_end } = hours;
  const local = { start: localTime(date, hour_start), end: localTime(date, hour_end, hour_start) };
  return (
    <>
      <span className={isLost ? styles.lost : styles.hours}>{choiceText(hours)}</span>
      {hour_end > HOURS_IN_DAY ? null : (
        <span className={styles.local}>{t('time.clockRange', local)}</span>
      )}
    </>
  );
}

/** The hours that the character may still claim if its type has a budget; the form's choices do not count. */
export function BudgetLine({
  character_name,
  member_type,
}: {
  character_name: string;
  member_type: string;
}): ReactNode {
  const { t } = useTranslation();
  const type = useBoard((board) => board.byKind.member_type.get(member_type));
  const claims = useBoard((board) => board.byKind.claim);
  const event = useActiveEvent();
  const most = event && type ? type.max_hours_per_event : null;
  const used = useMemo(
    () => (event && most !== null ? hoursInEvent(claims.values(), character_name, event) : 0),
    [claims, character_name, event, most],
  );
  const day = type?.max_hours_per_day ?? null;
  const lines = [
    ...(day === null ? [] : [t('submit.summary.budgetDay', { limit: day })]),
    ...(most === null
      ? []
      : [t('submit.summary.budgetEvent', { limit: most, left: Math.max(0, most - used) })]),
  ];
  return lines.length > 0 ? <p className="faint fine">{lines.join(' · ')}</p> : null;
}

interface DayPanelProps {
  form: ClaimFormModel;
  character_name: string;
  today: string;
}

/** The claims on the spots of the open date, and the chosen hours among them. */
export function DayPanels({ form, character_name, today }: DayPanelProps): ReactNode {
  const view = form.rows.find(({ row }) => row.date === form.state.open_date);
  if (!view) return null;
  const places = primaryRespawns(view.row, form.state.respawn_id).map((place) => place.respawn_id);
  return (
    <div className={styles.days}>
      {[...new Set(places)].map((respawn_id) =>
        respawn_id === null ? null : (
          <DayPanel
            key={respawn_id}
            form={form}
            view={view}
            respawn_id={respawn_id}
            character_name={character_name}
            today={today}
          />
        ),
      )}
    </div>
  );
}

function DayPanel({
  form,
  view,
  respawn_id,
  character_name,
  today,
}: DayPanelProps & { view: RowView; respawn_id: number }): ReactNode {
  const { t } = useTranslation();
  const dayText = useDayText();
  const respawn = useBoard((board) => board.byKind.respawn.get(respawn_id));
  const { first, last } = view.period;
  const choosing = useChoosing(respawn_id, first);
  if (!respawn) return null;
  const title =
    first === last
      ? t('submit.day.title', { date: dayText(first), respawn: respawn.name })
      : t('submit.day.titleEvent', {
          start: dayText(first),
          end: dayText(last),
          respawn: respawn.name,
        });
  const claims = form.claimsIn(respawn_id, view.period);
  const choice = view.problem ? [] : view.parts.filter((part) => part.respawn_id === respawn_id);
  return (
    <Panel title={title}>
      <Day
        label={title}
        choice={choice}
        choosing={choosing}
        claims={claims}
        character_name={character_name}
        isToday={first === today && last === today}
      />
      {claims.length === 0 ? (
        <p className={styles.none}>{t('submit.day.none')}</p>
      ) : (
        <ul className={styles.claims}>
          {claims.map((claim) => (
            <DayClaim
              key={claimKey(claim)}
              claim={claim}
              date={claim.date ?? first}
              isOneDay={first === last}
            />
          ))}
        </ul>
      )}
      <ChoosingLines choosing={choosing} date={first} />
    </Panel>
  );
}

interface DayProps {
  label: string;
  choice: readonly RowPart[];
  choosing: readonly Choosing[];
  claims: readonly ClaimOnRespawn[];
  character_name: string;
  isToday: boolean;
}

function Day({ label, choice, choosing, claims, character_name, isToday }: DayProps): ReactNode {
  const barOf = useStripBar(nameKey(character_name));
  const { hour, elapsed } = useServerSaveTime();
  const bars = claims.map(barOf);
  for (const { id, hour_start, hour_end } of choosing)
    bars.push({ key: `${id} ${hour_start}`, kind: 'choosing', hour_start, hour_end });
  for (const { part_number, hour_start, hour_end } of choice) {
    bars.push({ key: `choice ${part_number}`, kind: 'choosing', mine: true, hour_start, hour_end });
  }
  return <HourStrip bars={bars} label={label} now={isToday ? hour + elapsed : null} />;
}

function DayClaim({
  claim,
  date,
  isOneDay,
}: {
  claim: ClaimOnRespawn;
  date: string;
  isOneDay: boolean;
}): ReactNode {
  const { t } = useTranslation();
  const nearDay = useNearDay();
  return (
    <li className={styles.claim}>
      <span className={styles.claimHours}>
        {!isOneDay && claim.date ? (
          <span className="small block">{nearDay(claim.date)}</span>
        ) : null}
        <HoursText date={date} start={claim.hour_start} end={claim.hour_end} />
      </span>
      <span className={styles.name}>{claim.character_name}</span>
      {claim.is_secondary_claim ? (
        <Badge tone="accent">{t('board.priority', { priority: claim.secondary_priority })}</Badge>
      ) : null}
      <MemberTypeBadge memberType={claim.member_type} />
    </li>
  );
}

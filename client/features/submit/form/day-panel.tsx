import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { ClaimOnRespawn } from '../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../lib/claim-order.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useServerSaveTime } from '../../../state/clock.ts';
import { type Choosing, useChoosing } from '../../../state/presence-store.ts';
import { Badge } from '../../../ui/badge.tsx';
import { ChoosingLines } from '../../../ui/hours/choosing-lines.tsx';
import { HourStrip } from '../../../ui/hours/hour-strip.tsx';
import { HoursText } from '../../../ui/hours/hours-text.tsx';
import { useStripBar } from '../../../ui/hours/use-strip-bar.ts';
import { MemberTypeBadge } from '../../../ui/member-type-badge.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useShortDate } from '../../claiming/claim-words.tsx';
import { primaryRespawns, type RowPart } from '../../claiming/draft/row-parts.ts';
import type { RowView } from '../../claiming/draft/row-view.ts';
import styles from './day-panel.module.css';
import type { ClaimForm } from './use-claim-form.ts';

export interface DayPanelProps {
  form: ClaimForm;
  character_name: string;
  today: string;
}

/** Who holds the spots of the date in view, and where the choice would lie: a split claim has two. */
export function DayPanels({ form, character_name, today }: DayPanelProps): ReactNode {
  const view = form.rows.find(({ row }) => row.date === form.state.open_date);
  if (!view) return null;
  const places = primaryRespawns(view.row, form.state.respawn_id).map((place) => place.respawn_id);
  return (
    <div className={styles.days}>
      {[...new Set(places)].map((respawn_id) =>
        respawn_id === null ? null : (
          <DayPanel key={respawn_id} form={form} view={view} respawn_id={respawn_id} character_name={character_name} today={today} />
        ),
      )}
    </div>
  );
}

function DayPanel({ form, view, respawn_id, character_name, today }: DayPanelProps & { view: RowView; respawn_id: number }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  const respawn = useBoard((board) => board.byKind.respawn.get(respawn_id));
  const { first, last } = view.period;
  const choosing = useChoosing(respawn_id, first);
  if (!respawn) return null;
  const title =
    first === last
      ? t('submit.day.title', { date: shortDate(first), respawn: respawn.name })
      : t('submit.day.titleEvent', { start: shortDate(first), end: shortDate(last), respawn: respawn.name });
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
            <DayClaim key={claimKey(claim)} claim={claim} date={claim.date ?? first} isOneDay={first === last} />
          ))}
        </ul>
      )}
      <ChoosingLines choosing={choosing} date={first} />
    </Panel>
  );
}

interface DayProps {
  label: string;
  /** What would be claimed. */
  choice: readonly RowPart[];
  /** What others are about to claim. */
  choosing: readonly Choosing[];
  claims: readonly ClaimOnRespawn[];
  character_name: string;
  isToday: boolean;
}

function Day({ label, choice, choosing, claims, character_name, isToday }: DayProps): ReactNode {
  const barOf = useStripBar(nameKey(character_name));
  const { hour, elapsed } = useServerSaveTime();
  const bars = claims.map(barOf);
  for (const { id, hour_start, hour_end } of choosing) bars.push({ key: `${id} ${hour_start}`, kind: 'choosing', hour_start, hour_end });
  for (const { part_number, hour_start, hour_end } of choice) {
    bars.push({ key: `choice ${part_number}`, kind: 'choosing', mine: true, hour_start, hour_end });
  }
  return <HourStrip bars={bars} label={label} now={isToday ? hour + elapsed : null} />;
}

function DayClaim({ claim, date, isOneDay }: { claim: ClaimOnRespawn; date: string; isOneDay: boolean }): ReactNode {
  const { t } = useTranslation();
  const shortDate = useShortDate();
  return (
    <li className={styles.claim}>
      <span className={styles.hours}>
        {!isOneDay && claim.date ? <span className={styles.date}>{shortDate(claim.date)}</span> : null}
        <HoursText date={date} start={claim.hour_start} end={claim.hour_end} />
      </span>
      <span className={styles.name}>{claim.character_name}</span>
      {claim.is_secondary_claim ? <Badge tone="accent">{t('submit.day.priority', { priority: claim.secondary_priority })}</Badge> : null}
      <MemberTypeBadge memberType={claim.member_type} />
    </li>
  );
}

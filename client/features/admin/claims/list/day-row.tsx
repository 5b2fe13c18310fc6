import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClaimOnRespawn } from '../../../../../shared/schemas/claim.ts';
import { claimKey } from '../../../../lib/claim-order.ts';
import { useMay } from '../../../../state/permissions.ts';
import { Badge } from '../../../../ui/badge.tsx';
import { BlockedButton, Button } from '../../../../ui/button.tsx';
import { classes } from '../../../../ui/classes.ts';
import { HoursText } from '../../../../ui/hours/hours-text.tsx';
import { MemberTypeBadge } from '../../../../ui/member-type-badge.tsx';
import { SelectBox, type Selection, type SelectionKeys } from '../../../../ui/selection/selection.tsx';
import tab from '../../tab.module.css';
import { HeldBadge, useDayInWords } from '../claim-words.tsx';
import styles from '../claims.module.css';
import type { ClaimDay } from '../shown/claim-groups.ts';

/** By which claims are selected. */
export interface SelectLines {
  selection: Selection;
  onTick: SelectionKeys['onTick'];
}

interface DayRowProps {
  day: ClaimDay;
  respawn_name: string;
  today: string;
  /** null: none can be selected. */
  select: SelectLines | null;
  onEdit: (claim: ClaimOnRespawn) => void;
  onDelete: (claim: ClaimOnRespawn) => void;
}

/** One date of a respawn. */
export function DayRow({ day, respawn_name, today, select, onEdit, onDelete }: DayRowProps): ReactNode {
  const { t } = useTranslation();
  const dayInWords = useDayInWords();
  const words = dayInWords(day);
  const isPast = day.date !== null && day.date < today;
  return (
    <div className={classes(styles.day, isPast && styles.past)}>
      <h3 className={styles.date}>
        {words}
        {day.date === today ? <Badge tone="accent">{t('time.today')}</Badge> : null}
        {isPast ? <Badge>{t('admin.claims.past')}</Badge> : null}
      </h3>
      <ul aria-label={t('admin.claims.dayOf', { respawn: respawn_name, date: words })} className={styles.lines}>
        {day.claims.map((claim) => (
          <ClaimLine
            key={claimKey(claim)}
            claim={claim}
            day={words}
            date={day.date ?? today}
            select={select}
            onEdit={() => onEdit(claim)}
            onDelete={() => onDelete(claim)}
          />
        ))}
      </ul>
    </div>
  );
}

interface ClaimLineProps {
  claim: ClaimOnRespawn;
  /** Its date in words. */
  day: string;
  /** For local times: a claim of a whole event has none of its own. */
  date: string;
  select: SelectLines | null;
  onEdit: () => void;
  onDelete: () => void;
}

function ClaimLine({ claim, day, date, select, onEdit, onDelete }: ClaimLineProps): ReactNode {
  const { t } = useTranslation();
  const mayClaims = useMay('claims');
  const { character_name: name, hour_start: start, hour_end: end } = claim;
  const about = { name, day, hours: t('time.range', { start, end }) };
  const edit = {
    small: true,
    variant: 'quiet',
    'aria-label': t('admin.claims.editName', about),
    children: t('admin.claims.edit'),
  } as const;
  const blocked = claim.is_held ? t('errors.hold.notEdited') : claim.is_split_claim ? t('errors.times.splitClaim') : null;
  return (
    <li className={styles.line}>
      {select ? <SelectBox id={String(claim.id)} name={t('admin.claims.about', about)} {...select} /> : null}
      <HoursText date={date} start={start} end={end} className={styles.hours} />
      <span className={styles.who}>{name}</span>
      <span className={styles.badges}>
        <MemberTypeBadge memberType={claim.member_type} />
        {claim.split_part_number === null ? null : <Badge>{t('admin.claims.split', { part: claim.split_part_number })}</Badge>}
        {claim.held_until ? <HeldBadge until={claim.held_until} /> : null}
        {claim.is_secondary_claim ? (
          <Badge tone="accent">{t('admin.claims.secondary', { priority: claim.secondary_priority })}</Badge>
        ) : null}
      </span>
      {mayClaims ? (
        <span className={styles.actions}>
          {blocked ? <BlockedButton {...edit} reason={blocked} /> : <Button {...edit} onClick={onEdit} />}
          <Button
            small
            variant="quiet"
            className={tab.destructive}
            onClick={onDelete}
            aria-label={t(claim.is_held ? 'admin.line.endHoldOf' : 'admin.claims.deleteName', about)}
          >
            {t(claim.is_held ? 'admin.line.endHold' : 'common.delete')}
          </Button>
        </span>
      ) : null}
    </li>
  );
}

import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { hoursInEvent } from '../../../../shared/rules/budget.ts';
import { useActiveEvent, useBoard } from '../../../state/board-store.ts';
import styles from './claim-summary.module.css';

/** How many hours the character may still claim, where its type has a budget; what is chosen in the form not counted. */
export function BudgetLine({ character_name, member_type }: { character_name: string; member_type: string }): ReactNode {
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
    ...(most === null ? [] : [t('submit.summary.budgetEvent', { limit: most, left: Math.max(0, most - used) })]),
  ];
  return lines.length > 0 ? <p className={styles.missing}>{lines.join(' · ')}</p> : null;
}

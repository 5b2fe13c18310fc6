import { useEffect } from 'react';
import { type ChosenHours, MAX_CHOICES } from '../../../../shared/live.ts';
import type { ActiveEvent } from '../../../../shared/schemas/event.ts';
import { announceChoosing } from '../../../live/announce-choosing.ts';
import type { RowView } from '../state/row-view.ts';

/** Shows the others what the form asks for, as long as it can be had and the form is there. */
export function useAnnounceChoosing(rows: readonly RowView[], event: ActiveEvent | null, closed: boolean): void {
  const choices = closed ? [] : rows.flatMap((view) => choicesOf(view, event)).slice(0, MAX_CHOICES);
  // Each render: what is no news is not told again.
  useEffect(() => announceChoosing(choices));
  useEffect(() => () => announceChoosing(null), []);
}

function choicesOf({ row, parts, problem }: RowView, event: ActiveEvent | null): ChosenHours[] {
  if (problem) return [];
  const date = event?.type === 'single_claim' ? null : row.date;
  return parts.flatMap(({ respawn_id, hour_start, hour_end }) => (respawn_id === null ? [] : [{ respawn_id, date, hour_start, hour_end }]));
}

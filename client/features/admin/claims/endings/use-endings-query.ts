import { ENDING_REASONS, type EndingReason } from '../../../../../shared/schemas/ending.ts';
import { date as dateSchema } from '../../../../../shared/schemas/fields.ts';
import { useQueryState } from '../../../../lib/use-query-state.ts';

const PARAMETERS = ['reason', 'from', 'to'];

/** What of the endings is shown. Empty: any. The dates are the claims' own, both included. */
export interface EndingsFilter {
  reason: EndingReason | '';
  from: string;
  to: string;
}

export interface EndingsChoice {
  filter: EndingsFilter;
  /** The dates as they are typed. */
  typed: { from: string; to: string };
  isFiltered: boolean;
  change: (change: Partial<EndingsFilter>) => void;
  clear: () => void;
}

/** What is no date filters nothing: anybody may write an address. */
const dateIn = (text: string): string => (dateSchema.safeParse(text).success ? text : '');

export const reasonIn = (text: string): EndingReason | '' => ENDING_REASONS.find((reason) => reason === text) ?? '';

/** `?view=endings&reason=no_show&from=2026-11-01&to=2026-11-21`. */
export function useEndingsChoice(): EndingsChoice {
  const [{ reason = '', from = '', to = '' }, change] = useQueryState(PARAMETERS);
  return {
    filter: { reason: reasonIn(reason), from: dateIn(from), to: dateIn(to) },
    typed: { from, to },
    isFiltered: [reason, from, to].some((value) => value !== ''),
    change,
    clear: () => change({ reason: '', from: '', to: '' }),
  };
}

/** What the server is asked; what is empty is left out. */
export const queryOf = ({ reason, from, to }: EndingsFilter): { reason?: EndingReason; from?: string; to?: string } => ({
  ...(reason && { reason }),
  ...(from && { from }),
  ...(to && { to }),
});

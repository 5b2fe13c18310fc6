import type { FormAction } from '../state/form-state.ts';
import type { RowView } from '../state/row-view.ts';

export interface DateRowProps {
  view: RowView;
  /** The chosen spot. */
  respawn_id: number | null;
  voucher: number;
  isOpen: boolean;
  /** There are others: it can be folded away and removed. */
  hasOthers: boolean;
  isWholeEvent: boolean;
  tried: boolean;
  change: (action: FormAction) => void;
  askAgain: () => void;
}

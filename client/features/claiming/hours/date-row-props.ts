import type { FormAction } from '../draft/form-state.ts';
import type { RowView } from '../draft/row-view.ts';

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

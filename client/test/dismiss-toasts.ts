import { fireEvent, screen } from '@testing-library/react';

/** More than can be behind each other. */
const MAX_TOASTS = 40;

/** After a test: its messages would otherwise be found in the next one. */
export function dismissToasts(): void {
  for (let n = 0; n < MAX_TOASTS; n += 1) {
    const [dismiss] = screen.queryAllByLabelText('Dismiss');
    if (!dismiss) return;
    fireEvent.click(dismiss);
  }
}

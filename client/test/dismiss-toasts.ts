import { fireEvent, screen } from '@testing-library/react';

/** After a test: what was said in it would be found in the next, or waited for until it is gone. */
export function dismissToasts(): void {
  for (const dismiss of screen.queryAllByLabelText('Dismiss')) fireEvent.click(dismiss);
}

import { fireEvent, screen } from '@testing-library/react';

/** After a test: its messages would otherwise be found in the next one. */
export function dismissToasts(): void {
  for (const dismiss of screen.queryAllByLabelText('Dismiss')) fireEvent.click(dismiss);
}

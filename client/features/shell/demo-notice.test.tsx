import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { applySnapshot } from '../../state/board-store.ts';
import { aConfig } from '../../test/records.ts';
import { DemoNotice } from './page-frame.tsx';

test('every page of an invented guild says so, and no page of another one', () => {
  render(<DemoNotice />);
  act(() => applySnapshot(1, { config: [aConfig({ is_demo: 0 })] }));
  expect(screen.queryByText('This is an invented guild')).toBeNull();
  act(() => applySnapshot(2, { config: [aConfig({ is_demo: 1 })] }));
  expect(screen.getByText('This is an invented guild')).toBeTruthy();
});

import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { expect, test } from 'vitest';
import { PageFrame } from './page-frame.tsx';

test('"Skip to content" moves the focus to the page and leaves the address, and an invitation’s token in it, as it is', () => {
  render(
    <MemoryRouter>
      <Routes>
        <Route element={<PageFrame navbar={null} />}>
          <Route path="*" element={<p>the page</p>} />
        </Route>
      </Routes>
    </MemoryRouter>,
  );
  // false: the browser does not follow the link.
  expect(fireEvent.click(screen.getByRole('link', { name: 'Skip to content' }))).toBe(false);
  expect(document.activeElement).toBe(screen.getByRole('main'));
});

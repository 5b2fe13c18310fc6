import { act, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { describe, expect, test } from 'vitest';
import { useSession } from '../../state/session-store.ts';
import { PageFrame } from './page-frame.tsx';

function Address(): ReactNode {
  const navigate = useNavigate();
  return (
    <>
      <output aria-label="address">{useLocation().pathname}</output>
      <button type="button" onClick={() => void navigate(-1)}>
        Back
      </button>
    </>
  );
}

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

describe('when the admin’s token is rejected', () => {
  const reject = (): void =>
    act(() => useSession.setState({ ended: [{ who: null, code: 'session.expired' }] }));
  const show = (address: string): void => {
    useSession.setState({ ended: [] });
    render(
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route element={<PageFrame navbar={null} />}>
            <Route path="*" element={<Address />} />
          </Route>
        </Routes>
      </MemoryRouter>,
    );
  };

  test.each(['/', '/submit-claims', '/statistics', '/login', '/nowhere'])(
    '“redirect to /admin/login” from %s, and Back leads back',
    (address) => {
      show(address);
      reject();
      expect(screen.getByRole('status', { name: 'address' }).textContent).toBe('/admin/login');
      act(() => useSession.setState({ ended: [] }));
      fireEvent.click(screen.getByRole('button', { name: 'Back' }));
      expect(screen.getByRole('status', { name: 'address' }).textContent).toBe(address);
    },
  );

  test.each(['/admin/dashboard/keys', '/invite'])('%s stays', (address) => {
    show(address);
    reject();
    expect(screen.getByRole('status', { name: 'address' }).textContent).toBe(address);
  });

  test('a member’s key that is rejected leads nowhere', () => {
    show('/mine');
    act(() => useSession.setState({ ended: [{ who: 'Sable Quinn', code: 'session.expired' }] }));
    expect(screen.getByRole('status', { name: 'address' }).textContent).toBe('/mine');
  });
});

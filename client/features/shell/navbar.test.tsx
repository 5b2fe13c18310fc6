import { render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useSession } from '../../state/session-store.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Navbar } from './navbar.tsx';

afterEach(() => useSession.setState({ status: 'checking', admin: null }));

function links(path: string): { label: string | null; isCurrent: boolean }[] {
  render(
    <MemoryRouter initialEntries={[path]}>
      <LocalTimeContext value={(_date, hour) => `${hour}:00`}>
        <Navbar />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  const all = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
  return all.map((link) => ({ label: link.textContent, isCurrent: link.getAttribute('aria-current') === 'page' }));
}
const labels = (path: string) => links(path).map(({ label }) => label);
const current = (path: string) => links(path).flatMap(({ label, isCurrent }) => (isCurrent ? [label] : []));

test('everybody has the four pages of the specification', () => {
  expect(labels('/')).toEqual(['Home', 'Dashboard', 'Submit Claim', 'Verify Character']);
});

test('an admin has them, too, and two more', () => {
  useSession.setState({ status: 'ready', admin: { username: 'Thora', token: 'T', role: 'owner' } });
  expect(labels('/')).toEqual(['Home', 'Dashboard', 'Submit Claim', 'Verify Character', 'Admin Input', 'Admin Panel']);
});

test.each([
  ['/', 'Home'],
  ['/admin/dashboard', 'Dashboard'],
  ['/admin/dashboard/keys', 'Dashboard'],
  ['/admin/input', 'Admin Input'],
])('on %s one page is marked as the one in view: %s', (path, label) => {
  useSession.setState({ status: 'ready', admin: { username: 'Thora', token: 'T', role: 'owner' } });
  expect(current(path)).toEqual([label]);
});

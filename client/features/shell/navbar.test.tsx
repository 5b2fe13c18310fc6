import { cleanup, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useSession } from '../../state/session-store.ts';
import { LocalTimeContext } from '../../ui/hours/hours-text.tsx';
import { Navbar } from './navbar.tsx';

afterEach(() =>
  useSession.setState({ status: 'checking', admin: null, current: null, profiles: [] }),
);

function links(path: string): HTMLElement[] {
  cleanup();
  render(
    <MemoryRouter initialEntries={[path]}>
      <LocalTimeContext value={(_date, hour) => `${hour}:00`}>
        <Navbar />
      </LocalTimeContext>
    </MemoryRouter>,
  );
  return within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link');
}
const pages = (path: string) =>
  links(path).map((link) => [link.textContent, link.getAttribute('href')]);
const current = (path: string) =>
  links(path)
    .filter((link) => link.getAttribute('aria-current') === 'page')
    .map((link) => link.textContent);

const thora = { username: 'Thora', token: 'T', role: 'owner' } as const;
const riley = {
  characterName: 'Riley',
  memberType: 'member',
  accessKey: 'K',
  isVerified: true,
  createdAt: '',
};

test('a visitor has the four pages of the specification; Dashboard leads to the login of admins', () => {
  expect(pages('/')).toEqual([
    ['Home', '/'],
    ['Dashboard', '/admin/dashboard'],
    ['Submit Claim', '/input'],
    ['Verify Character', '/verify'],
  ]);
});

test('the dashboard of a member is their claims, not a form for a password they don’t have', () => {
  useSession.setState({ status: 'ready', current: riley, profiles: [riley] });
  expect(pages('/')).toEqual([
    ['Home', '/'],
    ['Dashboard', '/mine'],
    ['Submit Claim', '/input'],
    ['Verify Character', '/verify'],
  ]);
});

test('an admin has no two links to one page', () => {
  useSession.setState({ status: 'ready', admin: thora });
  expect(pages('/')).toEqual([
    ['Home', '/'],
    ['Verify Character', '/verify'],
    ['Admin Input', '/admin/input'],
    ['Admin Panel', '/admin/dashboard'],
  ]);
});

test('an admin who is a member has six links to six pages', () => {
  useSession.setState({ status: 'ready', admin: thora, current: riley, profiles: [riley] });
  expect(pages('/').map(([label]) => label)).toEqual([
    'Home',
    'Dashboard',
    'Submit Claim',
    'Verify Character',
    'Admin Input',
    'Admin Panel',
  ]);
  expect(new Set(pages('/').map(([, to]) => to)).size).toBe(6);
});

test.each([
  ['/', 'Home'],
  ['/mine', 'Dashboard'],
  ['/admin/dashboard', 'Admin Panel'],
  ['/admin/dashboard/keys', 'Admin Panel'],
  ['/admin/input', 'Admin Input'],
])('on %s one page is marked as the one in view: %s', (path, label) => {
  useSession.setState({ status: 'ready', admin: thora, current: riley, profiles: [riley] });
  expect(current(path)).toEqual([label]);
});

import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, expect, test } from 'vitest';
import { useSession } from '../../state/session-store.ts';
import { HomePage } from './home-page.tsx';

afterEach(() => useSession.setState({ status: 'checking', admin: null }));

function Board(): string {
  return 'the board';
}
const show = () =>
  render(
    <MemoryRouter>
      <HomePage>
        <Board />
      </HomePage>
    </MemoryRouter>,
  );

test('while sessions are checked, and for a visitor, the board is not rendered, so its code is not loaded', async () => {
  show();
  expect(screen.queryByText('the board')).toBeNull();
  useSession.setState({ status: 'ready' });
  await screen.findByRole('link', { name: 'Start Character Verification' });
  expect(screen.queryByText('the board')).toBeNull();
});

test('for someone who is signed in it is', () => {
  useSession.setState({
    status: 'ready',
    admin: { username: 'Thora', token: 'T', role: 'owner' },
  });
  show();
  expect(screen.getByText('the board')).toBeTruthy();
});

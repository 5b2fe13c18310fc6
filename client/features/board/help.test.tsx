import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyChanges } from '../../state/board-store.ts';
import { closeOverlay, openOverlay } from '../../state/overlays.ts';
import { useSession } from '../../state/session-store.ts';
import { aClaim, aConfig } from '../../test/records.ts';
import {
  claimArrives,
  resetScene,
  setUpScene,
  show,
  taken,
} from '../claiming/test/claim-scene.tsx';
import './help-dialog.tsx';

beforeEach(() => {
  setUpScene();
  localStorage.clear();
});
afterEach(() => {
  act(() => closeOverlay('help'));
  resetScene();
});

const SHORT = /^SS\+0 starts at 0:00 your time\. Drag/;

test('explains SS on a member’s first visit, until dismissed', async () => {
  await show('/');
  expect(screen.getByText(SHORT)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: "Don't show this again" }));
  expect(screen.queryByText(SHORT)).toBeNull();
  expect(localStorage.getItem('guide-read')).toBe('1');
});

test('the help explains SS, dragging, the signs and secondary claims', async () => {
  await show('/', { claim: [taken], config: [aConfig({ waits_enabled: 1 })] });
  const [, inTheNotice] = screen.getAllByRole('button', { name: 'How the board works' });
  if (inTheNotice) await userEvent.click(inTheNotice);
  const help = await screen.findByRole('dialog', { name: 'How the board works' });
  expect(
    within(help).getByText(
      /^SS\+0 starts at 0:00 your time, with the server save\. It is SS\+12 now/,
    ),
  ).toBeTruthy();
  for (const text of [
    /^Drag across the hours/,
    /^Hatched hours/,
    /^Press the hourglass/,
    /^A secondary claim/,
  ]) {
    expect(within(help).getByText(text)).toBeTruthy();
  }
  // Reading it is enough.
  expect(screen.queryByText(SHORT)).toBeNull();
});

test('without a waitlist the help says nothing about one', async () => {
  await show('/', { config: [aConfig({ waits_enabled: 0 })] });
  act(() => openOverlay('help', {}));
  const help = await screen.findByRole('dialog', { name: 'How the board works' });
  expect(help.textContent).not.toMatch(/waitlist|hourglass/);
});

test('a member with a claim is not told', async () => {
  await show('/');
  claimArrives({ respawn_id: 2, character_name: 'Arden Vale' });
  expect(screen.queryByText(SHORT)).toBeNull();
});

test('a member who had a claim is not told again in an event without one', async () => {
  await show('/', { claim: [aClaim({ id: 1, respawn_id: 1, character_name: 'Arden Vale' })] });
  expect(localStorage.getItem('guide-read')).toBe('1');
  act(() => void applyChanges({ clock: 2, changes: [{ op: 'remove', kind: 'claim', id: 1 }] }));
  expect(screen.queryByText(SHORT)).toBeNull();
});

test('an admin without a character is not told', async () => {
  useSession.setState({
    current: null,
    profiles: [],
    admin: { username: 'Thora', token: 'T', role: 'owner' },
  });
  await show('/', { claim: [aClaim({ id: 1 })] });
  expect(screen.queryByText(SHORT)).toBeNull();
});

import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import { FakeServer, ok, refused } from '../../features/submit/test/fake-server.ts';
import { claimRowOf } from '../../features/submit/test/records.ts';
import {
  config,
  showAdminInput,
  showSubmitPage,
  signIn,
  signInAsAdmin,
} from '../../features/submit/test/show-submit-page.tsx';
import { applyChanges, clearBoard } from '../../state/board-store.ts';
import { aClaimOnRespawn } from '../records.ts';
import { appears } from './appears.ts';

let server: FakeServer;
beforeEach(() => {
  clearBoard();
  server = new FakeServer()
    .on('GET', '/respawns/', () => ok([]))
    .on('GET', '/claims/check-character-claims/', () =>
      ok({ hasClaimsForDate: false, claimsForDate: [] }),
    )
    .on('POST', '/claims', () => ok([claimRowOf({ character_name: 'Mira' })], 201));
});
afterEach(() => vi.unstubAllGlobals());

const submit = (): Promise<void> =>
  userEvent.click(screen.getByRole('button', { name: /^Submit 1/ }));

appears('form', {
  'submit.failed': async () => {
    server.on('POST', '/claims', () => refused(500, 'server.failed'));
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await submit();
  },
  'errors.claim.submissionDisabled': () => {
    signIn();
    showSubmitPage('?respawn=1');
    act(
      () =>
        void applyChanges({
          clock: 2,
          changes: [{ op: 'put', kind: 'config', record: { ...config, submission_enabled: 0 } }],
        }),
    );
  },
  'submit.timeConflict': () => {
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    const taken = aClaimOnRespawn({
      id: 2,
      character_name: 'Sable Quinn',
      hour_start: 15,
      hour_end: 18,
    });
    act(
      () => void applyChanges({ clock: 2, changes: [{ op: 'put', kind: 'claim', record: taken }] }),
    );
  },
  'submit.alreadyAdded': async () => {
    signIn();
    showSubmitPage('?respawn=1&date=2026-11-21&hour=10');
    await userEvent.click(screen.getByRole('button', { name: 'Configure the next day' }));
    await userEvent.click(screen.getByRole('button', { name: /^Sat,? 21 Nov/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Configure the next day' }));
  },
  'submit.success.title': async () => {
    signIn();
    showSubmitPage('?respawn=1&hour=14');
    await submit();
  },
  'submit.admin.success': async () => {
    signInAsAdmin();
    showAdminInput('?respawn=1&hour=14');
    await userEvent.type(screen.getByLabelText('Character name'), 'Mira');
    await submit();
  },
});

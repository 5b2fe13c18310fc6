import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import '../../features/admin/people/people-list.tsx';
import type { mockServer } from '../../features/admin/test/server.ts';
import { chooseAction } from '../../features/admin/test/show-admin.tsx';
import { clearBoard } from '../../state/board-store.ts';
import { aKey, aVerifiedCode } from '../records.ts';
import { done, failed, notDone, open, press, type } from './admin-steps.ts';
import { appears } from './appears.ts';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

type Answers = Parameters<typeof mockServer>[0];
const key = aKey();
const revoked = aKey({ is_revoked: 1 });
const gone = notDone(404, 'key.notFound');

async function onKey(record: typeof key, answers: Answers, ...names: string[]): Promise<void> {
  await open('keys', { access_key: [record] }, answers);
  await act(...names);
}
/** From the menu of the row, then in the question. */
async function act(action = '', ...names: string[]): Promise<void> {
  await chooseAction('Arden Vale', action);
  await press(...names);
}
async function onCharacter(
  change: Parameters<typeof aVerifiedCode>[0],
  answers: Answers,
  ...names: string[]
): Promise<void> {
  await open('verified', { access_key: [key], verified_code: [aVerifiedCode(change)] }, answers);
  await act(...names);
}
const revoke = (answers: Answers) =>
  onKey(key, answers, 'Revoke access of Arden Vale', 'Revoke access');

appears('keys', {
  'admin.keys.createFailed': async () => {
    await open('keys', { access_key: [] }, { 'POST /api/admin/access-keys': failed });
    await type('Character name', 'Tessa Wynn{Enter}');
  },
  'errors.key.notFound': () => revoke({ 'PUT /api/admin/access-keys/1/revoke': gone }),
  'admin.keys.revokeFailed': () => revoke({ 'PUT /api/admin/access-keys/1/revoke': failed }),
  'admin.keys.deleteFailed': () =>
    onKey(
      key,
      { 'DELETE /api/admin/access-keys/1': gone },
      'Delete access key of Arden Vale',
      'Delete key',
    ),
  'admin.keys.enableFailed': () =>
    onKey(revoked, { 'PUT /api/admin/access-keys/1/enable': gone }, 'Restore access of Arden Vale'),
  'admin.keys.typeFailed': async () => {
    await open('keys', { access_key: [key] }, { 'PUT /api/admin/access-keys/1/member-type': gone });
    await press('Edit member type of Arden Vale');
    await userEvent.selectOptions(screen.getByLabelText('Member type of Arden Vale'), 'elite');
    await press('Save member type of Arden Vale');
  },
  'admin.keys.revokedMessage': () =>
    revoke({ 'PUT /api/admin/access-keys/1/revoke': done(revoked) }),
  'admin.characters.failed.revoke': () =>
    onCharacter(
      {},
      { 'POST /api/admin/revoke-character-access': gone },
      'Revoke access of Arden Vale',
      'Revoke access',
    ),
  'admin.characters.failed.ban': () =>
    onCharacter({}, { 'POST /api/admin/ban-character': failed }, 'Ban Arden Vale', 'Ban character'),
  'admin.characters.failed.unban': () =>
    onCharacter(
      { banned: 1 },
      { 'POST /api/admin/unban-character': failed },
      'Unban Arden Vale',
      'Unban character',
    ),
  'admin.characters.failed.delete': () =>
    onCharacter(
      {},
      { 'DELETE /api/admin/verified-codes/1': failed },
      'Delete verification record of Arden Vale',
      'Delete record',
    ),
});

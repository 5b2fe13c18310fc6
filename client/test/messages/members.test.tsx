import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import '../../features/admin/members/members-tab.tsx';
import type { mockServer } from '../../features/admin/test/server.ts';
import { clearBoard } from '../../state/board-store.ts';
import { aType } from '../records.ts';
import { done, failed, open, press } from './admin-steps.ts';
import { appears } from './appears.ts';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

type Answers = Parameters<typeof mockServer>[0];
const scout = aType('scout', { is_system: 0 });
const all = { member_type: [scout] };
const enterIn = (form: string, label: string, value: string): void =>
  void fireEvent.change(within(screen.getByRole('form', { name: form })).getByLabelText(label), {
    target: { value },
  });

async function create(answers: Answers): Promise<void> {
  await open('members', all, answers);
  enterIn('New member type', 'Name', 'bard');
  await press('Create member type');
}
async function update(answers: Answers): Promise<void> {
  await open('members', all, answers);
  await press('Edit scout');
  enterIn('Edit scout', 'Voucher hours', '6');
  await press('Save scout');
}
async function remove(answers: Answers): Promise<void> {
  await open('members', all, answers);
  await press('Delete scout', 'Confirm Delete scout');
}
const ONE = '/api/admin/member-types/scout';

appears('members', {
  'admin.members.created': () => create({ 'POST /api/admin/member-types': done(aType('bard')) }),
  'admin.members.updated': () => update({ [`PUT ${ONE}`]: done(scout) }),
  'admin.members.deleted': () => remove({ [`DELETE ${ONE}`]: done() }),
  'admin.members.createFailed': () => create({ 'POST /api/admin/member-types': failed }),
  'admin.members.updateFailed': () => update({ [`PUT ${ONE}`]: failed }),
  'admin.members.deleteFailed': () => remove({ [`DELETE ${ONE}`]: failed }),
});

import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import type { mockServer } from '../../features/admin/test/server.ts';
import { pressAction } from '../../features/admin/test/show-admin.tsx';
import { clearBoard } from '../../state/board-store.ts';
import { aConfig, anEvent } from '../records.ts';
import { done, enter, failed, open, press } from './admin-steps.ts';
import { appears } from './appears.ts';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

type Answers = Parameters<typeof mockServer>[0];
const quiet = anEvent();
const active = anEvent({ is_active: 1 });

async function create(answers: Answers): Promise<void> {
  await open('events', { event: [quiet] }, answers);
  await press('Create event');
  enter('Name', 'Rush');
  await userEvent.click(
    screen.getAllByRole('button', { name: 'Create event' }).at(-1) ?? document.body,
  );
}
async function update(answers: Answers): Promise<void> {
  await open('events', { event: [quiet] }, answers);
  await pressAction('Edit Double week');
  enter('Name', 'Rush');
  await press('Save changes');
}
async function doTo(
  event: typeof quiet,
  answers: Answers,
  action: string,
  confirm: string,
): Promise<void> {
  await open('events', { event: [event] }, answers);
  await pressAction(action);
  await press(confirm);
}
const remove = (answers: Answers) => doTo(quiet, answers, 'Delete Double week', 'Delete event');
const activate = (answers: Answers) =>
  doTo(quiet, answers, 'Activate Double week', 'Activate event');
const deactivate = (answers: Answers) =>
  doTo(active, answers, 'Deactivate Double week', 'Deactivate event');

appears('events', {
  'admin.events.created': () =>
    create({ 'POST /api/events': done(anEvent({ id: 2, name: 'Rush' })) }),
  'admin.events.updated': () => update({ 'PUT /api/events/1': done(quiet) }),
  'admin.events.deleted': () => remove({ 'DELETE /api/events/1': done() }),
  'admin.events.activated': () => activate({ 'POST /api/events/1/activate': done(active) }),
  'admin.events.deactivated': () => deactivate({ 'POST /api/events/1/deactivate': done(quiet) }),
  'admin.events.createFailed': () => create({ 'POST /api/events': failed }),
  'admin.events.updateFailed': () => update({ 'PUT /api/events/1': failed }),
  'admin.events.deleteFailed': () => remove({ 'DELETE /api/events/1': failed }),
  'admin.events.activateFailed': () => activate({ 'POST /api/events/1/activate': failed }),
  'admin.events.deactivateFailed': () => deactivate({ 'POST /api/events/1/deactivate': failed }),
  'admin.settings.saved': async () => {
    await open(
      'events',
      { config: [aConfig({ submission_enabled: 0 })] },
      { 'PUT /api/admin/config': done(aConfig()) },
    );
    await userEvent.click(screen.getByRole('button', { name: 'Claims closed' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Open claims' }));
  },
});

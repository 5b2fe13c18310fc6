import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, vi } from 'vitest';
import '../../features/admin/categories/categories-tab.tsx';
import '../../features/admin/respawns/respawns-tab.tsx';
import type { mockServer } from '../../features/admin/test/server.ts';
import { clearBoard } from '../../state/board-store.ts';
import { aCategory, aRespawn } from '../records.ts';
import { done, failed, notDone, open, press, type } from './admin-steps.ts';
import { appears } from './appears.ts';

beforeEach(clearBoard);
afterEach(() => vi.unstubAllGlobals());

type Answers = Parameters<typeof mockServer>[0];
const all = {
  category: [aCategory(1, 'General'), aCategory(2, 'Port Hope')],
  respawn: [aRespawn()],
};
const gif = new File(['GIF89a'], 'nest.gif', { type: 'image/gif' });

async function create(answers: Answers): Promise<void> {
  await open('respawns', all, answers);
  const form = within(screen.getByRole('form', { name: 'New spot' }));
  await userEvent.type(form.getByLabelText('Name'), 'Nest');
  await userEvent.upload(form.getByLabelText('Picture'), gif);
  await press('Create spot');
}
async function update(answers: Answers, change: () => Promise<void>): Promise<void> {
  await open('respawns', all, answers);
  await press('Edit Asura Palace');
  await change();
  await press('Save Asura Palace');
}
const rename = () => type('Name of Asura Palace', ' East');
async function remove(answers: Answers): Promise<void> {
  await open('respawns', all, answers);
  await press('Delete Asura Palace', 'Delete spot');
}
async function addCategory(answers: Answers): Promise<void> {
  await open('categories', all, answers);
  await type('Category name', 'Venore{Enter}');
}
async function renameCategory(answers: Answers): Promise<void> {
  await open('categories', all, answers);
  await press('Rename Port Hope');
  await type('New name of Port Hope', ' East{Enter}');
}
async function deleteCategory(answers: Answers): Promise<void> {
  await open('categories', all, answers);
  await press('Delete Port Hope', 'Delete category');
}
const noCategory = notDone(404, 'category.notFound');

appears('places', {
  'admin.respawns.created': () => create({ 'POST /api/respawns/admin': done(aRespawn({ id: 2 })) }),
  'admin.respawns.updated': () => update({ 'PUT /api/admin/respawns/1': done(aRespawn()) }, rename),
  'admin.respawns.deleted': () => remove({ 'DELETE /api/admin/respawns/1': done() }),
  'admin.respawns.createFailed': () => create({ 'POST /api/respawns/admin': failed }),
  'admin.respawns.updateFailed': () => update({ 'PUT /api/admin/respawns/1': failed }, rename),
  'admin.respawns.categoryFailed': () =>
    update({ 'PUT /api/admin/respawns/1/category': noCategory }, () =>
      userEvent.selectOptions(screen.getByLabelText('Category of Asura Palace'), 'General'),
    ),
  'admin.respawns.imageFailed': () =>
    update({ 'PUT /api/admin/respawns/1/image': notDone(415, 'respawn.notGif') }, () =>
      userEvent.upload(screen.getByLabelText('Picture of Asura Palace'), gif),
    ),
  'admin.respawns.deleteFailed': () => remove({ 'DELETE /api/admin/respawns/1': failed }),
  'admin.categories.added': () =>
    addCategory({ 'POST /api/categories': done(aCategory(3, 'Venore')) }),
  'admin.categories.updated': () =>
    renameCategory({ 'PUT /api/categories/2': done(aCategory(2, 'Port Hope East')) }),
  'admin.categories.deleted': () => deleteCategory({ 'DELETE /api/categories/2': done() }),
  'admin.categories.addFailed': () => addCategory({ 'POST /api/categories': failed }),
  'admin.categories.updateFailed': () => renameCategory({ 'PUT /api/categories/2': noCategory }),
  'admin.categories.deleteFailed': () => deleteCategory({ 'DELETE /api/categories/2': noCategory }),
});

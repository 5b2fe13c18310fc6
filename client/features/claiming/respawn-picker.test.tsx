import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { respawnOf } from '../submit/test/records.ts';
import { groupRespawns, RespawnPicker } from './respawn-picker.tsx';

const respawns = [
  respawnOf({ id: 1, name: 'Cobra Bastion' }),
  respawnOf({ id: 2, name: 'Banuta -10', category_name: 'Port Hope' }),
  respawnOf({ id: 3, name: 'Banuta -2', category_name: 'Port Hope' }),
  respawnOf({ id: 4, name: 'Câmara', category_id: null, category_name: null }),
  respawnOf({ id: 5, name: 'Closed Cave', is_enabled: 0 }),
];

test('lists spots by category with numbers in order, uncategorised ones last, disabled ones not at all', () => {
  expect(
    groupRespawns(respawns, '').map(({ category, respawns: list }) => [
      category,
      ...list.map(({ name }) => name),
    ]),
  ).toEqual([
    ['Ankrahmun', 'Cobra Bastion'],
    ['Port Hope', 'Banuta -2', 'Banuta -10'],
    [null, 'Câmara'],
  ]);
});

test('a search finds names and categories, without case and accents', () => {
  const found = (text: string): string[] =>
    groupRespawns(respawns, text).flatMap((group) => group.respawns.map(({ name }) => name));
  expect(found('camara')).toEqual(['Câmara']);
  expect(found('hope -2')).toEqual(['Banuta -2']);
  expect(found('nothing')).toEqual([]);
});

test('typing, arrow keys and Enter choose; Escape gives up', async () => {
  const onChoose = vi.fn();
  const user = userEvent.setup();
  render(<RespawnPicker respawns={respawns} chosen={respawns[0]} onChoose={onChoose} />);
  const box = screen.getByRole('combobox', { name: 'Spot' });
  expect(box).toHaveProperty('value', 'Cobra Bastion');
  await user.click(box);
  await user.keyboard('banuta{ArrowDown}');
  const list = screen.getByRole('listbox');
  expect(within(list).getByRole('group', { name: 'Port Hope' })).toBeTruthy();
  const [, second] = within(list).getAllByRole('option');
  expect(box.getAttribute('aria-activedescendant')).toBe(second?.id);
  await user.keyboard('{Enter}');
  expect(onChoose).toHaveBeenCalledWith(2);
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.keyboard('{ArrowDown}{Escape}');
  expect(screen.queryByRole('listbox')).toBeNull();
  expect(box).toHaveProperty('value', 'Cobra Bastion');
});

test('says when nothing is found', async () => {
  render(<RespawnPicker respawns={respawns} chosen={undefined} onChoose={() => {}} />);
  await userEvent.type(screen.getByRole('combobox', { name: 'Spot' }), 'zzz');
  expect(screen.getByRole('status').textContent).toBe('No spot matches “zzz”.');
});

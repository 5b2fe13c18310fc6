import { act, render, screen, within } from '@testing-library/react';
import { Profiler, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Chooser } from '../../../../shared/live.ts';
import { applySnapshot, clearBoard } from '../../../state/board-store.ts';
import { applyPresence, clearPresence } from '../../../state/presence-store.ts';
import { aClaim, aSpot } from '../../../test/records.ts';
import { LocalTimeContext } from '../../../ui/hours/hours-text.tsx';
import { SpotCard } from './spot-card.tsx';
import { SpotTile } from './spot-tile.tsx';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T21:30:00Z'), toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  clearBoard();
  clearPresence();
});

const DATE = '2026-11-21';
const day = { date: DATE, today: DATE, now: null, event: null, viewer: null, search: '' };
const spots = [aSpot(1, 'Fire Library'), aSpot(2, 'Cobra Bastion'), aSpot(3, 'Ingol -2')];
const chooser = (respawn_id: number, change: Partial<Chooser> = {}): Chooser => ({
  id: 'member:riley ashdown',
  name: 'Riley Ashdown',
  choices: [{ respawn_id, date: DATE, hour_start: 10, hour_end: 14 }],
  ...change,
});

function show(page: ReactNode): void {
  const claim = [
    aClaim({ id: 1, respawn_id: 1, hour_start: 2, hour_end: 6 }),
    aClaim({ id: 2, respawn_id: 2, hour_start: 2, hour_end: 6 }),
  ];
  applySnapshot(1, { respawn: spots, claim });
  render(
    <MemoryRouter>
      <LocalTimeContext value={(_, hour) => `${hour}:00`}>{page}</LocalTimeContext>
    </MemoryRouter>,
  );
}

test('a card names who is choosing which hours, and takes them off again; the free hours stay free', () => {
  show(<SpotCard id={1} {...day} />);
  const strip = screen.getByRole('button', { name: /Taken: SS\+2 to SS\+6/ });
  const label = strip.getAttribute('aria-label');
  const before = strip.childElementCount;
  act(() => applyPresence({ op: 'put', chooser: chooser(1) }));
  const line = screen.getByText('Riley Ashdown is choosing').closest('li');
  expect(line && within(line).getByRole('button').textContent).toBe('SS+10 to SS+14');
  expect(strip.childElementCount).toBe(before + 1);
  expect(strip.getAttribute('aria-label')).toBe(label);
  act(() => applyPresence({ op: 'put', chooser: chooser(1, { id: 'admin:1', name: null }) }));
  expect(screen.getByText('An admin is choosing')).toBeTruthy();
  act(() => applyPresence({ op: 'remove', id: 'member:riley ashdown' }));
  expect(screen.queryByText('Riley Ashdown is choosing')).toBeNull();
});

test('a choice for another day is not shown on this one', () => {
  show(<SpotCard id={1} {...day} />);
  act(() =>
    applyPresence({
      op: 'put',
      chooser: chooser(1, {
        choices: [{ respawn_id: 1, date: '2026-11-22', hour_start: 10, hour_end: 14 }],
      }),
    }),
  );
  expect(screen.queryByText(/is choosing/)).toBeNull();
});

test('one chooser’s change renders one card, and how many watch renders none', () => {
  const renders = new Map<number, number>();
  const count = (id: number) => (): void => void renders.set(id, (renders.get(id) ?? 0) + 1);
  show(
    [1, 2].map((id) => (
      <Profiler key={id} id={String(id)} onRender={count(id)}>
        <SpotCard id={id} {...day} />
      </Profiler>
    )),
  );
  act(() =>
    applyPresence({
      op: 'state',
      watching: 2,
      choosers: [chooser(1, { id: 'member:sable', name: 'Sable' })],
    }),
  );
  renders.clear();
  act(() => applyPresence({ op: 'put', chooser: chooser(2) }));
  act(() => applyPresence({ op: 'watching', watching: 3 }));
  expect([...renders]).toEqual([[2, 1]]);
});

test('shows on an unclaimed spot too', () => {
  show(<SpotTile id={3} {...day} />);
  expect(screen.getByRole('link', { name: 'Claim Ingol -2' })).toBeTruthy();
  act(() => applyPresence({ op: 'put', chooser: chooser(3) }));
  const tile = screen
    .getByRole('link', { name: 'Claim Ingol -2. Riley Ashdown is choosing SS+10 to SS+14' })
    .closest('li');
  expect(tile?.textContent).toContain('Riley Ashdown is choosing SS+10 to SS+14');
});

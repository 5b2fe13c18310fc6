import { describe, expect, it } from 'vitest';
import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import type { Category } from '../../shared/schemas/category.ts';
import { MAX_LIST } from '../../shared/schemas/fields.ts';
import { KEPT } from './kinds.ts';
import { ACTIVITY_KEPT } from './listing.ts';

const entry = (id: number): ActivityEntry => ({
  id,
  timestamp: '2026-11-21T18:00:00.000Z',
  action: 'admin_logout',
  admin_id: 1,
  admin_username: 'admin',
  actor_kind: 'admin',
  actor_name: 'admin',
  details: {},
  undo: null,
});
const key = (id: number): AccessKey => ({
  id,
  character_name: `Knight ${id}`,
  key_value: `KEY-${id}`,
  created_by_username: null,
  member_type: 'member',
  created_at: '2026-11-21T18:00:00.000Z',
  is_revoked: 0,
});
const downFrom = (id: number, length: number): number[] => Array.from({ length }, (_, at) => id - at);
const ids = (list: { view: () => { records: readonly { id: number }[] } }): number[] => list.view().records.map(({ id }) => id);

describe('a list that is kept', () => {
  it('stands in the order of what it says now, and what was seen of it stays as it was', () => {
    const list = KEPT.category.keep([
      { id: 1, name: 'Ruins' },
      { id: 2, name: 'caves' },
    ]);
    const names = (all: readonly Category[]): string[] => all.map(({ name }) => name);
    const seen = list.view();
    list.put({ id: 3, name: 'Peaks' });
    list.put({ id: 2, name: 'Sewers' });
    list.remove(7);
    expect(names(seen.records)).toEqual(['caves', 'Ruins']);
    expect(names(list.view().records)).toEqual(['Peaks', 'Ruins', 'Sewers']);
    list.remove(1);
    expect(names(list.view().records)).toEqual(['Peaks', 'Sewers']);
  });

  it('of the log holds its newest, and takes no notice of what is undone further down', async () => {
    const list = KEPT.activity.keep(downFrom(200, ACTIVITY_KEPT).map(entry));
    expect(list.put(entry(201))).toBe(true);
    expect(ids(list)).toEqual(downFrom(201, ACTIVITY_KEPT));
    expect(list.put({ ...entry(101), undo: 'done' })).toBe(true);
    expect(ids(list)).toEqual(downFrom(201, ACTIVITY_KEPT));
    expect(list.put({ ...entry(150), undo: 'done' })).toBe(true);
    const view = list.view();
    expect(view.records.filter(({ undo }) => undo === 'done').map(({ id }) => id)).toEqual([150]);
    expect(JSON.parse(await view.write())).toEqual(view.records);
  });

  it('that is full says so when it changes: what moves up from below only the database knows', () => {
    const list = KEPT.access_key.keep(downFrom(MAX_LIST + 5, MAX_LIST).map(key));
    expect(list.remove(MAX_LIST)).toBe(false);
    expect(list.put(key(MAX_LIST + 6))).toBe(false);
    const shorter = KEPT.access_key.keep(downFrom(MAX_LIST, MAX_LIST - 1).map(key));
    expect(shorter.remove(MAX_LIST)).toBe(true);
  });
});

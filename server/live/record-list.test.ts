import { describe, expect, it } from 'vitest';

import type { AccessKey } from '../../shared/schemas/access-key.ts';
import type { ActivityEntry } from '../../shared/schemas/activity.ts';
import type { Category } from '../../shared/schemas/category.ts';
import { MAX_LIST } from '../../shared/schemas/fields.ts';
import { ACTIVITY_IN_SNAPSHOT } from '../activity/log.ts';
import { features } from '../features.ts';
import { encodeText, writeJsonArray } from './encoding.ts';
import { recordSourcesOf } from './record-kinds.ts';

const recordSources = recordSourcesOf(features);

const entry = (id: number): ActivityEntry => ({
  id,
  timestamp: '2026-11-21T18:00:00.000Z',
  action: 'admin_logout',
  admin_id: 1,
  admin_username: 'admin',
  actor_kind: 'admin',
  actor_name: 'admin',
  details: {},
  clock: null,
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
  revoked_because: null,
  discord_user_id: null,
  discord_name: null,
});
const downFrom = (id: number, length: number): number[] =>
  Array.from({ length }, (_, at) => id - at);
const ids = (list: { records: () => readonly { id: number }[] }): number[] =>
  list.records().map(({ id }) => id);

describe('a list that is kept', () => {
  it('is in the current order, and earlier reads are unchanged', () => {
    const list = recordSources.category.createList([
      { id: 1, name: 'Ruins' },
      { id: 2, name: 'caves' },
    ]);
    const names = (all: readonly Category[]): string[] => all.map(({ name }) => name);
    const seen = list.records();
    list.put({ id: 3, name: 'Peaks' });
    list.put({ id: 2, name: 'Sewers' });
    list.remove(7);
    expect(names(seen)).toEqual(['caves', 'Ruins']);
    expect(names(list.records())).toEqual(['Peaks', 'Ruins', 'Sewers']);
    list.remove(1);
    expect(names(list.records())).toEqual(['Peaks', 'Sewers']);
  });

  it('of the log holds its newest, and ignores undos further down', () => {
    const list = recordSources.activity.createList(downFrom(200, ACTIVITY_IN_SNAPSHOT).map(entry));
    expect(list.put(entry(201))).toBe(true);
    expect(ids(list)).toEqual(downFrom(201, ACTIVITY_IN_SNAPSHOT));
    expect(list.put({ ...entry(101), undo: 'done' })).toBe(true);
    expect(ids(list)).toEqual(downFrom(201, ACTIVITY_IN_SNAPSHOT));
    expect(list.put({ ...entry(150), undo: 'done' })).toBe(true);
    const undone = list.records().filter(({ undo }) => undo === 'done');
    expect(undone.map(({ id }) => id)).toEqual([150]);
  });

  it('that is full reports when it changes: only the database knows the next one', () => {
    const list = recordSources.access_key.createList(downFrom(MAX_LIST + 5, MAX_LIST).map(key));
    expect(list.remove(MAX_LIST)).toBe(false);
    expect(list.put(key(MAX_LIST + 6))).toBe(false);
    const shorter = recordSources.access_key.createList(downFrom(MAX_LIST, MAX_LIST - 1).map(key));
    expect(shorter.remove(MAX_LIST)).toBe(true);
  });
});

/** Some texts, longer together than what is written in one turn. */
const LONG = 'x'.repeat(100_000);
const TEXTS = Array.from({ length: 20 }, () => LONG);

/** In how many turns of the event loop something happened, from the first to the last. */
async function turnsOf<T>(work: (now: () => number) => Promise<T>): Promise<T> {
  let turn = 0;
  let isDone = false;
  const next = (): void => {
    turn += 1;
    if (!isDone) setImmediate(next);
  };
  setImmediate(next);
  return work(() => turn).finally(() => {
    isDone = true;
  });
}

it('a long list is written some at a time, put together in another turn, and made bytes in one more', async () => {
  await turnsOf(async (now) => {
    const writtenIn: number[] = [];
    const text = await writeJsonArray(TEXTS, (one) => {
      writtenIn.push(now());
      return JSON.stringify(one);
    });
    const perTurn = Map.groupBy(writtenIn, (turn) => turn);
    expect(Math.max(...[...perTurn.values()].map(({ length }) => length))).toBeLessThanOrEqual(3);
    const joinedIn = now();
    expect(joinedIn).toBeGreaterThan(Math.max(...writtenIn));
    expect(JSON.parse(text)).toEqual(TEXTS);
    const bytes = await encodeText(text);
    expect(now()).toBeGreaterThan(joinedIn);
    expect(bytes.toString()).toBe(text);
  });
});

it('a short one is written at once', async () => {
  await turnsOf(async (now) => {
    const begun = now();
    expect((await encodeText(await writeJsonArray([1, 2], String))).toString()).toBe('[1,2]');
    expect(now()).toBe(begun);
  });
});

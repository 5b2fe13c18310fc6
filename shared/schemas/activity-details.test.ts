import { describe, expect, it } from 'vitest';
import { ACTIVITY_ACTIONS, isActivityAction } from '../activity-actions.ts';
import { applyChangeSet, boardFromSnapshot } from '../live.ts';
import { type ActivityEntry, activityEntry } from './activity.ts';
import { activityDetails, knownDetails } from './activity-details.ts';

const anEntry = (id: number): ActivityEntry => ({
  id,
  timestamp: '2026-11-21T18:00:00.000Z',
  action: 'user_banned',
  actor_kind: 'admin',
  actor_name: 'Thora',
  admin_id: 1,
  admin_username: 'Thora',
  details: { character_name: 'Bubble' },
  clock: null,
  undo: null,
});
/** As another version sends it. */
const ofNewer = (id: number): ActivityEntry =>
  JSON.parse(JSON.stringify({ ...anEntry(id), action: 'raid_planned' }));

describe('the table of actions', () => {
  it('has the details of each action', () => {
    expect(Object.keys(activityDetails).sort()).toEqual([...ACTIVITY_ACTIONS].sort());
  });

  it('knows nothing that every object has', () => {
    expect([isActivityAction('constructor'), isActivityAction('claim_created')]).toEqual([
      false,
      true,
    ]);
    expect(knownDetails('admin_login', { constructor: 1, toString: 'x' })).toEqual({});
  });
});

describe('the details of an entry', () => {
  it('is read as far as it is known: fields of another version, or of another shape, are left out one by one', () => {
    const stored = {
      claim_id: 7,
      character_name: 'Bubble',
      date: 'some day',
      places: [{ at: 'x' }],
      mood: { very: ['good'] },
      event_id: null,
    };
    expect(knownDetails('claim_created', stored)).toEqual({
      claim_id: 7,
      character_name: 'Bubble',
      event_id: null,
    });
    expect(knownDetails('admin_login', stored)).toEqual({});
  });

  it('of an older version, with fewer fields, is read too', () => {
    expect(knownDetails('event_activated', { event_id: 3, name: 'Rush' })).toEqual({
      event_id: 3,
      name: 'Rush',
    });
  });
});

describe('an entry of an action that this version does not know', () => {
  it('is on no board: neither in a snapshot, nor live', () => {
    const board = boardFromSnapshot(1, { activity: [ofNewer(2), anEntry(1)] });
    expect([...board.byKind.activity.values()].map(({ id }) => id)).toEqual([1]);
    const after = applyChangeSet(board, {
      clock: 2,
      changes: [ofNewer(3), anEntry(4)].map((record) => ({ op: 'put', kind: 'activity', record })),
    });
    if (typeof after === 'string') throw new Error(after);
    expect([after.clock, [...after.byKind.activity.values()].map(({ id }) => id)]).toEqual([
      2,
      [1, 4],
    ]);
  });

  it('is none by its schema', () => {
    expect([
      activityEntry.safeParse(ofNewer(1)).success,
      activityEntry.safeParse(anEntry(1)).success,
    ]).toEqual([false, true]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

interface Arrival {
  group: string | null;
  member?: string;
}

/** A queue of items in this order, written "group/member:item". */
function queueOf(...items: string[]): FairQueue<string> {
  const queue = createFairQueue<string>();
  for (const each of items) queue.add(callerOf(each), each);
  return queue;
}

function callerOf(text: string): Arrival {
  const [path = ''] = text.split(':');
  const [group = '', member] = path.split('/');
  return { group: group === 'server' ? null : group, ...(member === undefined ? {} : { member }) };
}

/** All items in the order in which they are served. */
function served(queue: FairQueue<string>): string[] {
  const items: string[] = [];
  for (let item = queue.next(); item !== null; item = queue.next()) items.push(item);
  return items;
}

describe('turns in a fair queue', () => {
  it('go round the groups, each in the order of arrival', () => {
    expect(served(queueOf('a:1', 'a:2', 'a:3', 'b:1', 'server:1', 'b:2'))).toEqual([
      'a:1',
      'b:1',
      'server:1',
      'a:2',
      'b:2',
      'a:3',
    ]);
  });

  it('within a group go round its members', () => {
    expect(served(queueOf('a/x:1', 'a/x:2', 'b:1', 'a/y:1', 'a/x:3', 'a/y:2'))).toEqual([
      'a/x:1',
      'b:1',
      'a/y:1',
      'a/x:2',
      'a/y:2',
      'a/x:3',
    ]);
  });

  it('are kept while a caller has items, and start at the end for a new one', () => {
    const queue = queueOf('a:1', 'a:2', 'b:1', 'b:2');
    expect(queue.next()).toBe('a:1');
    queue.add(callerOf('c'), 'c:1');
    expect(served(queue)).toEqual(['b:1', 'a:2', 'c:1', 'b:2']);
  });

  it('skip items that are not ready, which stay first of their caller', () => {
    const queue = queueOf('a:late', 'a:1', 'b/x:late', 'b/y:1', 'c:1');
    const isReady = (item: string): boolean => !item.endsWith('late');
    expect([queue.next(isReady), queue.next(isReady), queue.next(isReady), queue.size()]).toEqual([
      'b/y:1',
      'c:1',
      null,
      3,
    ]);
    expect(served(queue)).toEqual(['a:late', 'b/x:late', 'a:1']);
  });
});

describe('the size of a fair queue', () => {
  it('counts items, groups and members that have an item', () => {
    const queue = queueOf('a/x:1', 'a/x:2', 'a/y:1', 'b:1');
    const counts = () => [
      queue.size(),
      queue.groups(),
      queue.membersOf('a'),
      queue.membersOf('b'),
      queue.membersOf('c'),
    ];
    expect(counts()).toEqual([4, 2, 2, 1, 0]);
    queue.next();
    expect(counts()).toEqual([3, 2, 2, 1, 0]);
    queue.next();
    expect(counts()).toEqual([2, 1, 2, 0, 0]);
    queue.next();
    expect(counts()).toEqual([1, 1, 1, 0, 0]);
    queue.next();
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
    expect(queue.next()).toBeNull();
    expect(counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('lists the items of one caller, the first to be served first', () => {
    const queue = queueOf('a/x:1', 'a/y:1', 'a/x:2', 'b:1', 'server:1');
    const itemsOf = (caller: string): readonly string[] => queue.itemsOf(callerOf(caller));
    expect([itemsOf('a/x'), itemsOf('a/y'), itemsOf('b'), itemsOf('server')]).toEqual([
      ['a/x:1', 'a/x:2'],
      ['a/y:1'],
      ['b:1'],
      ['server:1'],
    ]);
    expect([itemsOf('a'), itemsOf('a/z'), itemsOf('c')]).toEqual([[], [], []]);
  });
});

describe('the item that a full queue drops', () => {
  const dropped = (...items: string[]): (string | null)[] => {
    const queue = queueOf(...items);
    return items.map(() => queue.newestOfGreediest());
  };

  it('is the newest of the group with most items, the newer group’s of two', () => {
    expect(dropped('a:1', 'a:2', 'b:1', 'a:3')).toEqual(['a:3', 'a:2', 'b:1', 'a:1']);
    expect(dropped('a:1', 'b:1', 'b:2', 'a:2')).toEqual(['a:2', 'b:2', 'b:1', 'a:1']);
  });

  it('is one of the group’s member with most items, the newer member’s of two', () => {
    expect(dropped('a/x:1', 'a/x:2', 'a/y:1', 'b:1', 'b:2')).toEqual([
      'a/x:2',
      'b:2',
      'a/y:1',
      'b:1',
      'a/x:1',
    ]);
    expect(dropped('a/y:1', 'a/x:1', 'a/z:1')).toEqual(['a/z:1', 'a/x:1', 'a/y:1']);
  });

  it('is never the server’s own', () => {
    expect(dropped('server:1', 'server:2', 'a:1')).toEqual(['a:1', null, null]);
  });

  it('is gone from the queue, and its caller with its last one', () => {
    const queue = queueOf('a/x:1', 'a/y:1', 'a/y:2', 'b:1');
    queue.newestOfGreediest();
    expect([
      queue.size(),
      queue.groups(),
      queue.membersOf('a'),
      queue.itemsOf(callerOf('a/y')),
    ]).toEqual([3, 2, 2, ['a/y:1']]);
    queue.newestOfGreediest();
    queue.newestOfGreediest();
    expect([queue.size(), queue.groups(), queue.membersOf('a'), queue.membersOf('b')]).toEqual([
      1, 1, 1, 0,
    ]);
    expect(served(queue)).toEqual(['a/x:1']);
  });
});

describe('taking all items of a kind out of a fair queue', () => {
  it('leaves the others and their turns', () => {
    const queue = queueOf('a/x:1', 'a/x:late', 'a/y:late', 'b:late', 'c:1', 'server:late', 'c:2');
    expect(queue.takeWhere((item) => item.endsWith('late')).toSorted()).toEqual([
      'a/x:late',
      'a/y:late',
      'b:late',
      'server:late',
    ]);
    expect([queue.size(), queue.groups(), queue.membersOf('a'), queue.membersOf('b')]).toEqual([
      3, 2, 1, 0,
    ]);
    expect(served(queue)).toEqual(['a/x:1', 'c:1', 'c:2']);
  });

  it('takes none where none matches, and can take all', () => {
    const queue = queueOf('a:1', 'b:1');
    expect([queue.takeWhere(() => false), queue.size()]).toEqual([[], 2]);
    expect([queue.takeWhere(() => true), queue.size(), queue.groups()]).toEqual([
      ['a:1', 'b:1'],
      0,
      0,
    ]);
  });
});

describe('how many items are served before a caller’s', () => {
  const queue = queueOf('a/x:1', 'a/y:1', 'a/z:1', 'b/x:1', 'c/x:1', 'c/y:1');
  const turnsOf = (caller: string): number => queue.turnsBefore(callerOf(caller));

  it.each([
    ['a/x', 0],
    ['b/x', 1],
    ['c/x', 2],
    ['a/y', 3],
    ['c/y', 4],
    ['a/z', 5],
  ])('%s: %i', (caller, turns) => {
    expect(turnsOf(caller)).toBe(turns);
  });

  it('is where a new caller would be served, too', () => {
    expect([turnsOf('d'), turnsOf('b/y'), turnsOf('c/z'), turnsOf('a/w')]).toEqual([3, 4, 6, 6]);
    expect(createFairQueue().turnsBefore({ group: 'a' })).toBe(0);
  });

  it('is counted for a group without members, too', () => {
    const groups = queueOf('a:1', 'b:1', 'server:1');
    expect(['a', 'b', 'server', 'c'].map((caller) => groups.turnsBefore(callerOf(caller)))).toEqual(
      [0, 1, 2, 3],
    );
  });

  it('is true of any queue in which each member has one item', () => {
    const anyCaller = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'server'), fc.constantFrom('w', 'x', 'y', 'z'))
      .map((names) => names.join('/'));
    fc.assert(
      fc.property(fc.uniqueArray(anyCaller, { minLength: 1 }), (callers) => {
        const last = callers.at(-1) ?? '';
        const expected = queueOf(...callers.slice(0, -1)).turnsBefore(callerOf(last));
        const order = served(queueOf(...callers));
        expect(order.indexOf(last)).toBe(expected);
        expect(callers.map((caller) => queueOf(...callers).turnsBefore(callerOf(caller)))).toEqual(
          callers.map((caller) => order.indexOf(caller)),
        );
      }),
    );
  });
});

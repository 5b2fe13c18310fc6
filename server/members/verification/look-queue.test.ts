import { describe, expect, it } from 'vitest';
import { createLookQueue, MAX_ADDRESSES, MAX_NAMES_OF_ADDRESS } from './character-source.ts';

describe('the queue of lookups', () => {
  it('has a limited number of names an address, and tells the others how many are ahead', () => {
    const queue = createLookQueue();
    for (let i = 0; i < MAX_NAMES_OF_ADDRESS + 20; i += 1)
      queue.ask('crowd', { key: `name ${i}`, name: `Name ${i}` }, 0);
    expect(queue.before('crowd', 'name 3')).toBe(3);
    expect(queue.before('crowd', `name ${MAX_NAMES_OF_ADDRESS + 5}`)).toBe(MAX_NAMES_OF_ADDRESS);
    let taken = 0;
    while (queue.next(0)) taken += 1;
    expect(taken).toBe(MAX_NAMES_OF_ADDRESS);
  });

  it('has a limited number of addresses, until some have gone', () => {
    const queue = createLookQueue();
    for (let i = 0; i < MAX_ADDRESSES + 20; i += 1)
      queue.ask(`address ${i}`, { key: `name ${i}`, name: `Name ${i}` }, 0);
    expect(queue.before('late', 'late')).toBe(MAX_ADDRESSES);
    queue.ask('late', { key: 'late', name: 'Late' }, 15_001);
    expect(queue.next(15_001)).toMatchObject({ key: 'late', name: 'Late' });
    expect(queue.next(15_001)).toBeNull();
  });

  it('forgets requests dated in the future: the clock was set back', () => {
    const queue = createLookQueue();
    queue.ask('one', { key: 'bubble', name: 'Bubble' }, 86_400_000);
    expect(queue.next(0)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { createTurns, MAX_ADDRESSES, MAX_NAMES_OF_ADDRESS } from './turns.ts';

describe('the queue of turns', () => {
  it('holds so many names of an address at most, and tells the others how many come first', () => {
    const turns = createTurns();
    for (let i = 0; i < MAX_NAMES_OF_ADDRESS + 20; i += 1) turns.ask('crowd', `name ${i}`, `Name ${i}`, 0);
    expect(turns.before('crowd', 'name 3')).toBe(3);
    expect(turns.before('crowd', `name ${MAX_NAMES_OF_ADDRESS + 5}`)).toBe(MAX_NAMES_OF_ADDRESS);
    let taken = 0;
    while (turns.next(0)) taken += 1;
    expect(taken).toBe(MAX_NAMES_OF_ADDRESS);
  });

  it('holds so many addresses at most, until some have gone', () => {
    const turns = createTurns();
    for (let i = 0; i < MAX_ADDRESSES + 20; i += 1) turns.ask(`address ${i}`, `name ${i}`, `Name ${i}`, 0);
    expect(turns.before('late', 'late')).toBe(MAX_ADDRESSES);
    turns.ask('late', 'late', 'Late', 15_001);
    expect(turns.next(15_001)).toEqual({ key: 'late', name: 'Late' });
    expect(turns.next(15_001)).toBeNull();
  });

  it('forgets what was asked at a time that is yet to come: the clock was set back', () => {
    const turns = createTurns();
    turns.ask('one', 'bubble', 'Bubble', 86_400_000);
    expect(turns.next(0)).toBeNull();
  });
});

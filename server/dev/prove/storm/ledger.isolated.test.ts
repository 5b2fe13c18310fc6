import { describe, expect, it } from 'vitest';
import { Ledger, unaccounted } from './ledger.ts';

const A = ['1 2026-11-24 10-12 Thora'];
const B = ['1 2026-11-24 14-16 Thora'];
const C = ['2 2026-11-25 3-4 Thora', '3 2026-11-25 8-9 Thora'];

function holding(): Ledger {
  const ledger = new Ledger();
  ledger.made(
    new Map([
      [1, A],
      [2, C],
    ]),
  );
  return ledger;
}

describe('acknowledged writes', () => {
  it('agrees with a database that holds just that', () => {
    const stored = new Map([
      [1, A],
      [2, C],
    ]);
    const ledger = holding();
    expect(ledger.compare(stored)).toEqual([]);
    expect(unaccounted(stored, [ledger])).toEqual([]);
  });

  it('is missed when it is lost', () => {
    expect(holding().compare(new Map([[1, A]]))).toEqual([
      expect.stringContaining('claim 2 was acknowledged as'),
    ]);
  });

  it('is missed when only a part of it is stored', () => {
    expect(
      holding().compare(
        new Map([
          [1, A],
          [2, C.slice(0, 1)],
        ]),
      ),
    ).toHaveLength(1);
  });

  it('is missed when it is stored with other hours', () => {
    expect(
      holding().compare(
        new Map([
          [1, B],
          [2, C],
        ]),
      ),
    ).toHaveLength(1);
  });

  it('is missed when what was deleted is back, or never went', () => {
    const ledger = holding();
    ledger.deleted(1);
    expect(
      ledger.compare(
        new Map([
          [1, A],
          [2, C],
        ]),
      ),
    ).toEqual(['claim 1 was acknowledged as deleted and is stored']);
  });

  it('cannot be made twice under one id', () => {
    expect(() => holding().made(new Map([[1, A]]))).toThrow('made twice');
  });
});

describe('unanswered calls', () => {
  it('may have happened', () => {
    const ledger = holding();
    ledger.maybeEdited(new Map([[1, B]]));
    expect(
      ledger.compare(
        new Map([
          [1, B],
          [2, C],
        ]),
      ),
    ).toEqual([]);
    // From then on it is known.
    expect(
      ledger.compare(
        new Map([
          [1, A],
          [2, C],
        ]),
      ),
    ).toHaveLength(1);
  });

  it('is missed where one of two claims that an edit moves together stayed behind, and not where both did, or both moved', () => {
    const D = ['4 2026-11-24 1-2 Thora (secondary)'];
    const moved = ['4 2026-11-24 1-5 Thora (secondary)'];
    const faultsAfter = (first: readonly string[], second: readonly string[]): string[] => {
      const ledger = new Ledger();
      ledger.made(
        new Map([
          [1, A],
          [2, D],
        ]),
      );
      ledger.maybeEdited(
        new Map([
          [1, B],
          [2, moved],
        ]),
      );
      return ledger.compare(
        new Map([
          [1, first],
          [2, second],
        ]),
      );
    };
    expect([faultsAfter(A, D), faultsAfter(B, moved)]).toEqual([[], []]);
    expect(faultsAfter(B, D)).toEqual(['of one change only claim 1 is stored']);
  });

  it('may not have happened, and then does not happen later', () => {
    const ledger = holding();
    ledger.maybeDeleted(1);
    expect(
      ledger.compare(
        new Map([
          [1, A],
          [2, C],
        ]),
      ),
    ).toEqual([]);
    expect(ledger.compare(new Map([[2, C]]))).toHaveLength(1);
  });

  it('has not happened by halves', () => {
    const ledger = holding();
    ledger.maybeDeleted(2);
    expect(
      ledger.compare(
        new Map([
          [1, A],
          [2, C.slice(0, 1)],
        ]),
      ),
    ).toHaveLength(1);
  });
});

it('a claim that was never acknowledged is one too many', () => {
  expect(
    unaccounted(
      new Map([
        [1, A],
        [2, C],
        [3, B],
      ]),
      [holding()],
    ),
  ).toEqual([expect.stringContaining('claim 3')]);
});

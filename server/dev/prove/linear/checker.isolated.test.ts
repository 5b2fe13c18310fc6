import { describe, expect, it } from 'vitest';
import { omit } from '../../../../shared/omit.ts';
import { notLinear } from './checker.ts';
import type { Call, Operation, Reply, Seen } from './history.ts';

const THORA: Seen = {
  id: 1,
  spot: 1,
  character: 'Thora',
  hour_start: 10,
  hour_end: 12,
  held: false,
};
const ORM: Seen = { id: 2, spot: 1, character: 'Orm', hour_start: 11, hour_end: 14, held: false };
const SIF: Seen = { id: 3, spot: 1, character: 'Sif', hour_start: 12, hour_end: 14, held: false };

const submit = (seen: Seen): Call => ({ do: 'submit', ...omit(seen, 'id', 'held') });
const got = ({ id }: Seen): Reply => ({ was: 'done', id });
const TAKEN: Reply = { was: 'hours taken' };
const BUSY: Reply = { was: 'character taken' };
const LOST: Reply = { was: 'lost' };
const read: Call = { do: 'read', spots: [1] };
const saw = (...claims: Seen[]): Reply => ({ was: 'read', claims });
const remove = ({ id }: Seen): Call => ({ do: 'delete', id });
const DONE: Reply = { was: 'done' };

/** A call from one moment to another. */
const from = (began: number, answered: number, call: Call, reply: Reply): Operation => ({
  began,
  answered: reply.was === 'lost' ? Number.POSITIVE_INFINITY : answered,
  call,
  reply,
});
/** Calls one after another. */
const inTurn = (...steps: [Call, Reply][]): Operation[] =>
  steps.map(([call, reply], i) => from(2 * i, 2 * i + 1, call, reply));

describe('a history with an order that explains it', () => {
  it.each<[string, Operation[]]>([
    ['is empty', []],
    [
      'is calls in turn',
      inTurn(
        [submit(THORA), got(THORA)],
        [read, saw(THORA)],
        [submit(ORM), TAKEN],
        [remove(THORA), DONE],
        [read, saw()],
      ),
    ],
    [
      'touches without overlapping',
      inTurn([submit(THORA), got(THORA)], [submit(SIF), got(SIF)], [read, saw(SIF, THORA)]),
    ],
    [
      'has a character who is refused a second claim, even of free hours',
      inTurn([submit(THORA), got(THORA)], [submit({ ...THORA, spot: 2 }), BUSY]),
    ],
    [
      'has a loser who was answered before the winner',
      [from(0, 9, submit(THORA), got(THORA)), from(1, 2, submit(ORM), TAKEN)],
    ],
    [
      'has a reader who sees a claim before it is answered',
      [from(0, 9, submit(THORA), got(THORA)), from(1, 2, read, saw(THORA))],
    ],
    [
      'has a reader beside a writer who does not see it yet',
      [from(0, 9, submit(THORA), got(THORA)), from(1, 12, read, saw())],
    ],
    [
      'moves a claim into hours that another gave up',
      inTurn(
        [submit(THORA), got(THORA)],
        [submit(SIF), got(SIF)],
        [{ do: 'edit', id: 1, hour_start: 13, hour_end: 15 }, TAKEN],
        [remove(SIF), DONE],
        [{ do: 'edit', id: 1, hour_start: 13, hour_end: 15 }, DONE],
        [read, saw({ ...THORA, hour_start: 13, hour_end: 15 })],
      ),
    ],
    [
      'has a loser of a claim that was deleted meanwhile',
      [
        ...inTurn([submit(THORA), got(THORA)], [remove(THORA), DONE]),
        from(0.5, 9, submit(ORM), TAKEN),
      ],
    ],
  ])('%s', (_, history) => {
    expect(notLinear(history)).toBeNull();
  });
});

describe('a history that no order explains', () => {
  it.each<[string, Operation[]]>([
    [
      'has two winners of one hour',
      [from(0, 5, submit(THORA), got(THORA)), from(1, 4, submit(ORM), got(ORM))],
    ],
    [
      'has two claims of one character',
      [
        from(0, 5, submit(THORA), got(THORA)),
        from(1, 4, submit({ ...THORA, spot: 2 }), { was: 'done', id: 9 }),
      ],
    ],
    ['has a stale read', inTurn([submit(THORA), got(THORA)], [read, saw()])],
    [
      'has a lost write',
      inTurn([submit(THORA), got(THORA)], [submit(SIF), got(SIF)], [read, saw(SIF)]),
    ],
    [
      'has a refusal without a cause',
      inTurn([submit(THORA), got(THORA)], [remove(THORA), DONE], [submit(ORM), TAKEN]),
    ],
    [
      'has a claim that is back',
      inTurn([submit(THORA), got(THORA)], [remove(THORA), DONE], [read, saw(THORA)]),
    ],
    [
      'deletes twice',
      [
        ...inTurn([submit(THORA), got(THORA)]),
        from(3, 6, remove(THORA), DONE),
        from(4, 5, remove(THORA), DONE),
      ],
    ],
    [
      'gives an id twice',
      inTurn([submit(THORA), got(THORA)], [submit(SIF), { was: 'done', id: 1 }]),
    ],
    [
      'moves a claim onto another',
      inTurn(
        [submit(THORA), got(THORA)],
        [submit(SIF), got(SIF)],
        [{ do: 'edit', id: 1, hour_start: 13, hour_end: 15 }, DONE],
      ),
    ],
    [
      'has two readers who saw two claims come in different orders',
      [
        from(0, 99, submit(THORA), got(THORA)),
        from(0, 99, submit(SIF), got(SIF)),
        from(1, 2, read, saw(THORA)),
        from(3, 4, read, saw(SIF)),
      ],
    ],
    [
      'reads a claim with other hours',
      inTurn([submit(THORA), got(THORA)], [read, saw({ ...THORA, hour_end: 13 })]),
    ],
  ])('%s', (_, history) => {
    expect(notLinear(history)).not.toBeNull();
  });

  it('is measured by how far an order reaches', () => {
    const history = inTurn([submit(THORA), got(THORA)], [read, saw()], [read, saw(THORA)]);
    expect(notLinear(history)).toEqual(history.slice(0, 1));
  });
});

const wait = (character: string, hour_start: number, hour_end: number): Call => {
  return { do: 'wait', spot: 1, character, hour_start, hour_end, least: 1 };
};
const inLine = (id: number, hold: number | null = null): Reply => ({ was: 'done', id, hold });
const line: Call = { do: 'line', spots: [1] };
const stand = (...waits: [id: number, character: string, hold: number | null][]): Reply => ({
  was: 'line',
  waits: waits.map(([id, character, hold], at) => ({
    id,
    spot: 1,
    character,
    position: at + 1,
    hold,
  })),
});
const accept = (id: number): Call => ({ do: 'accept', wait: id });
const decline = (id: number): Call => ({ do: 'decline', wait: id });
const because = (code: string): Reply => ({ was: 'refused', code });
const taken = (hold: number): Reply => ({ was: 'done', hold });
const BOTH: [Call, Reply][] = [
  [submit(THORA), got(THORA)],
  [wait('Orm', 10, 12), inLine(1)],
  [wait('Sif', 11, 12), inLine(2)],
];
const heldFor = (id: number, character: string, hour_start: number, hour_end: number): Seen => {
  return { id, spot: 1, character, hour_start, hour_end, held: true };
};

describe('a history of lines', () => {
  it.each<[string, Operation[]]>([
    [
      'serves whoever came first',
      inTurn(...BOTH, [remove(THORA), DONE], [line, stand([1, 'Orm', 7], [2, 'Sif', null])]),
    ],
    [
      'asks the next when one declines, and keeps what is accepted',
      inTurn(
        ...[
          ...BOTH,
          [remove(THORA), DONE] as [Call, Reply],
          [decline(1), taken(7)] as [Call, Reply],
        ],
        [read, saw(heldFor(8, 'Sif', 11, 12))],
        [submit(ORM), because('hold.taken')],
        [accept(2), taken(8)],
        [read, saw({ ...heldFor(8, 'Sif', 11, 12), held: false })],
        [submit(ORM), TAKEN],
      ),
    ],
    [
      'gives whoever waits nothing that was free already, and the free hours with the occupied ones once these come free',
      inTurn(
        [submit(THORA), got(THORA)],
        [wait('Sif', 11, 14), inLine(1)],
        [read, saw(THORA)],
        [remove(THORA), DONE],
        [read, saw(heldFor(5, 'Sif', 11, 14))],
      ),
    ],
    [
      'voids what an admin deletes, and hours that somebody claims elsewhere',
      inTurn(
        ...[...BOTH, [remove(THORA), DONE] as [Call, Reply]],
        [line, stand([1, 'Orm', 7], [2, 'Sif', null])],
        [{ do: 'delete', id: 7 }, DONE],
        [line, stand([2, 'Sif', 8])],
        [accept(1), because('wait.notOpen')],
      ),
    ],
    [
      'has two who came at once, of whom the one with the lower number was first',
      [
        ...inTurn([submit(THORA), got(THORA)]),
        from(3, 9, wait('Orm', 10, 12), inLine(2)),
        from(3, 9, wait('Sif', 10, 12), inLine(1)),
        from(10, 11, line, stand([1, 'Sif', null], [2, 'Orm', null])),
      ],
    ],
  ])('that %s is explained', (_, history) => {
    expect(notLinear(history)).toBeNull();
  });

  it.each<[string, Operation[]]>([
    [
      'passes somebody over',
      inTurn(...BOTH, [remove(THORA), DONE], [line, stand([1, 'Orm', null], [2, 'Sif', 7])]),
    ],
    [
      'leaves hours free that somebody waits for',
      inTurn(...BOTH, [remove(THORA), DONE], [read, saw()]),
    ],
    [
      'gives hours to a passer-by',
      inTurn(
        ...BOTH,
        [remove(THORA), DONE],
        [submit({ ...SIF, character: 'Una', hour_start: 11 }), got(SIF)],
      ),
    ],
    [
      'offers hours that were free when somebody joined',
      inTurn(
        [submit(THORA), got(THORA)],
        [wait('Sif', 11, 14), inLine(1, 5)],
        [read, saw(heldFor(5, 'Sif', 12, 14), THORA)],
      ),
    ],
    ['has a character twice on a waitlist', inTurn(...BOTH, [wait('Sif', 10, 12), inLine(3)])],
    [
      'accepts twice',
      inTurn(...BOTH, [remove(THORA), DONE], [accept(1), taken(7)], [accept(1), taken(7)]),
    ],
    ['accepts what was not offered', inTurn(...BOTH, [accept(1), taken(7)])],
    [
      'numbers whoever came later before',
      inTurn(
        [submit(THORA), got(THORA)],
        [wait('Orm', 10, 12), inLine(2)],
        [wait('Sif', 10, 12), inLine(1)],
      ),
    ],
    [
      'keeps hours held that were given up',
      inTurn(
        ...BOTH,
        [remove(THORA), DONE],
        [decline(1), taken(7)],
        [read, saw(heldFor(7, 'Orm', 10, 12))],
      ),
    ],
    [
      'has a gap in a line',
      inTurn(...BOTH, [
        { do: 'line', spots: [1] },
        { was: 'line', waits: [{ id: 2, spot: 1, character: 'Sif', position: 2, hold: null }] },
      ]),
    ],
  ])('that %s is not', (_, history) => {
    expect(notLinear(history)).not.toBeNull();
  });
});

describe('a call whose answer was lost', () => {
  it.each<[string, Operation[]]>([
    ['may have happened', inTurn([submit(THORA), LOST], [read, saw(THORA)], [submit(ORM), TAKEN])],
    [
      'may not have happened',
      inTurn([submit(THORA), LOST], [read, saw()], [submit(ORM), got(ORM)]),
    ],
    ['may happen later', inTurn([submit(THORA), LOST], [read, saw()], [read, saw(THORA)])],
    [
      'is known by its id from then on',
      inTurn([submit(THORA), LOST], [read, saw(THORA)], [remove(THORA), DONE], [read, saw()]),
    ],
    [
      'may have put somebody in line',
      inTurn(
        [submit(THORA), got(THORA)],
        [wait('Orm', 10, 12), LOST],
        [line, stand([4, 'Orm', null])],
      ),
    ],
    [
      'may have accepted',
      inTurn(
        ...BOTH,
        [remove(THORA), DONE],
        [accept(1), LOST],
        [read, saw({ ...heldFor(7, 'Orm', 10, 12), held: false })],
      ),
    ],
    [
      'may have deleted',
      inTurn([submit(THORA), got(THORA)], [remove(THORA), LOST], [submit(ORM), got(ORM)]),
    ],
  ])('%s', (_, history) => {
    expect(notLinear(history)).toBeNull();
  });

  it.each<[string, Operation[]]>([
    [
      'has not happened and then not',
      inTurn([submit(THORA), LOST], [read, saw(THORA)], [read, saw()]),
    ],
    [
      'has not happened before it began',
      [from(0, 1, read, saw(THORA)), from(2, 3, submit(THORA), LOST)],
    ],
    [
      'has not happened twice',
      inTurn([submit(THORA), LOST], [read, saw(THORA)], [remove(THORA), DONE], [read, saw(THORA)]),
    ],
    [
      'has not two ids',
      inTurn([submit(THORA), LOST], [read, saw(THORA)], [read, saw({ ...THORA, id: 7 })]),
    ],
  ])('%s', (_, history) => {
    expect(notLinear(history)).not.toBeNull();
  });
});

import { CompiledQuery } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseAway } from './errors.ts';
import { fakeDatabase } from './test/fake-database.ts';
import { migratedDatabase } from './test/migrated-database.ts';
import {
  authorizationNow,
  createWriteQueue,
  onBehalfOf,
  onBehalfOfAll,
  type QueueCaller,
  type WriteQueue,
  type WriteQueueOptions,
} from './write-queue.ts';

async function aQueue(options: WriteQueueOptions = {}): Promise<WriteQueue> {
  const { writer } = await migratedDatabase();
  return createWriteQueue(writer, options);
}

const by = (name: string, gone = false): QueueCaller => ({ name, gone: () => gone });

/** Blocks the queue until it is released. */
function hold(queue: WriteQueue): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held = queue.transaction(() => promise);
  return () => {
    resolve();
    return held;
  };
}

const BUSY = { code: 'server.busy', params: { seconds: 2 } };

/** What became of each: its value, or the code it was refused with. */
const outcomes = async (writes: Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(writes)).map((each) =>
    each.status === 'fulfilled' ? each.value : (each.reason.code ?? each.reason.name),
  );

describe('the queue of writes', () => {
  it('runs one write at a time, a caller’s in order, and continues after a failure', async () => {
    const queue = await aQueue();
    const log: string[] = [];
    const step = (name: string, fails = false) =>
      queue.transaction(async (tx) => {
        log.push(`${name} begins`);
        await tx.selectFrom('clock').select('value').execute();
        log.push(`${name} ends`);
        if (fails) throw new Error(`${name} fails`);
        return name;
      });
    const [a, b, c] = await Promise.allSettled([step('a'), step('b', true), step('c')]);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(
      [a, b, c].map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message)),
    ).toEqual(['a', 'b fails', 'c']);
  });

  it('serves callers round-robin, so that one write of another precedes the many of one; the server’s own count as one caller', async () => {
    const queue = await aQueue();
    const letGo = hold(queue);
    const log: string[] = [];
    const says = (what: string) => queue.transaction(async () => log.push(what));
    const greedy = [1, 2, 3, 4, 5].map((n) =>
      onBehalfOf(by('address 1.2.3.4'), () => says(`greedy ${n}`)),
    );
    const other = onBehalfOf(by('key 7'), () => says('other'));
    const own = [1, 2].map((n) => says(`own ${n}`));
    await letGo();
    await Promise.all([...greedy, other, ...own]);
    expect(log).toEqual([
      'greedy 1',
      'other',
      'own 1',
      'greedy 2',
      'own 2',
      'greedy 3',
      'greedy 4',
      'greedy 5',
    ]);
  });

  it('lets everything else have a turn between two writes', async () => {
    const queue = await aQueue();
    const log: string[] = [];
    const letGo = hold(queue);
    const first = queue.transaction(async () => {
      log.push('a write');
      setImmediate(() => log.push('somebody else'));
    });
    const second = queue.transaction(async () => log.push('the next write'));
    await letGo();
    await Promise.all([first, second]);
    expect(log).toEqual(['a write', 'somebody else', 'the next write']);
  });

  it('serves a write that arrives just when it has run empty', async () => {
    const queue = await aQueue();
    let last = 0;
    for (let n = 1; n <= 50; n += 1)
      last = await queue
        .transaction(async () => n)
        .then((value) => queue.transaction(async () => value));
    expect(last).toBe(50);
    await queue.idle();
    expect(queue.waiting()).toBe(0);
  });

  it('refuses writes beyond its limit with the seconds to wait, and loses none of the others', async () => {
    const queue = await aQueue({ limit: 3 });
    const letGo = hold(queue);
    const writes = [1, 2, 3, 4, 5].map((n) =>
      onBehalfOf(by(`key ${n}`), () => queue.transaction(async () => n)),
    );
    await expect(writes[3]).rejects.toMatchObject(BUSY);
    expect(queue.waiting()).toBe(3);
    await letGo();
    expect(await outcomes(writes)).toEqual([1, 2, 3, 'server.busy', 'server.busy']);
  });

  it('is fair: when it is full, the newest write of the caller with the most waiting is refused', async () => {
    const queue = await aQueue({ limit: 4 });
    const letGo = hold(queue);
    const greedy = [1, 2, 3, 4].map((n) =>
      onBehalfOf(by('address 1.2.3.4'), () => queue.transaction(async () => n)),
    );
    const member = onBehalfOf(by('key 7'), () => queue.transaction(async () => 'member'));
    const own = queue.transaction(async () => 'own');
    await letGo();
    expect(await outcomes([...greedy, member, own])).toEqual([
      1,
      2,
      'server.busy',
      'server.busy',
      'member',
      'own',
    ]);
  });

  it('looks up no more at once than may wait', async () => {
    const queue = await aQueue({ limit: 2 });
    const { promise, resolve } = Promise.withResolvers<string>();
    const looks = [1, 2, 3].map(() => queue.admit(() => promise));
    await expect(looks[2]).rejects.toMatchObject(BUSY);
    resolve('found');
    expect(await outcomes(looks)).toEqual(['found', 'found', 'server.busy']);
    expect(await queue.admit(async () => 'next')).toBe('next');
  });

  it('never refuses the server’s own writes', async () => {
    const queue = await aQueue({ limit: 2, waitsMs: 0 });
    const letGo = hold(queue);
    const own = [1, 2, 3, 4].map((n) => queue.transaction(async () => n));
    const waiting = onBehalfOf(by('key 1'), () => queue.transaction(async () => 5));
    await letGo();
    expect(await outcomes([...own, waiting])).toEqual([1, 2, 3, 4, 'server.busy']);
  });

  it('does not start writes whose caller has gone, or that waited too long', async () => {
    const gone = await aQueue();
    let letGo = hold(gone);
    const given = [true, false].map((each) =>
      onBehalfOf(by('key 1', each), () => gone.transaction(async () => 'written')),
    );
    await Promise.all([
      letGo(),
      expect(outcomes(given)).resolves.toEqual(['server.busy', 'written']),
    ]);

    const slow = await aQueue({ waitsMs: -1 });
    letGo = hold(slow);
    const late = onBehalfOf(by('key 1'), () => slow.transaction(async () => 'written'));
    await Promise.all([letGo(), expect(late).rejects.toMatchObject(BUSY)]);
  });

  it('counts the wait from the write’s arrival, not from the start of the process', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000_000);
    onTestFinished(() => clock.mockRestore());
    const queue = await aQueue({ waitsMs: 10_000 });
    const letGo = hold(queue);
    const first = onBehalfOf(by('key 1'), () => queue.transaction(async () => 'first'));
    clock.mockReturnValue(1_000_001);
    const second = onBehalfOf(by('key 2'), () => queue.transaction(async () => 'second'));
    clock.mockReturnValue(1_010_001);
    await letGo();
    expect(await outcomes([first, second])).toEqual(['server.busy', 'second']);
  });

  it('refuses the write of a caller that has gone before it would run', async () => {
    const queue = await aQueue();
    const letGo = hold(queue);
    const log: string[] = [];
    const says = (what: string) =>
      queue.transaction(async (tx) => {
        await tx.selectFrom('clock').select('value').execute();
        log.push(what);
      });
    const stays = onBehalfOf(by('key 1'), () => says('stays'));
    const left = onBehalfOf(by('key 1', true), () => says('written for nobody')).catch(() =>
      log.push('refused'),
    );
    await letGo();
    await Promise.all([stays, left]);
    expect(log).toEqual(['refused', 'stays']);
  });

  it('refuses all waiting writes when the database stops answering, and serves later ones', async () => {
    const queue = await aQueue();
    const letGo = hold(queue);
    const silent = queue.transaction(async () => {
      throw new DatabaseAway(new Error('no answer'));
    });
    const behind = [1, 2].map(() => queue.transaction(async () => 'written'));
    await letGo();
    expect(await outcomes([silent, ...behind])).toEqual([
      'DatabaseAway',
      'DatabaseAway',
      'DatabaseAway',
    ]);
    expect(await queue.transaction(async () => 'after')).toBe('after');
  });

  it('acknowledges nothing that was written where it may not be any more', async () => {
    let writable = true;
    const assertWritable = (): void => {
      if (!writable) throw new Error('lost');
    };
    const queue = await aQueue({ assertWritable });
    await expect(
      queue.transaction(async () => {
        writable = false;
      }),
    ).rejects.toThrow('lost');
    const begun: string[] = [];
    await expect(queue.transaction(async () => begun.push('begun'))).rejects.toThrow('lost');
    expect(begun).toEqual([]);
  });
});

describe('the caller of a write', () => {
  it('is the one on whose behalf it is, also later; work for all callers is the server’s own', async () => {
    const authorize = async (): Promise<void> => {};
    const caller: QueueCaller = { ...by('key 1'), authorize };
    expect(authorizationNow()).toBeUndefined();
    expect(onBehalfOf(by('key 1'), authorizationNow)).toBeUndefined();
    expect(onBehalfOf(caller, authorizationNow)).toBe(authorize);
    expect(onBehalfOf(caller, () => onBehalfOfAll(() => ['of all', authorizationNow()]))).toEqual([
      'of all',
      undefined,
    ]);
    const later = onBehalfOf(caller, async () => {
      await Promise.resolve();
      return authorizationNow();
    });
    expect(await later).toBe(authorize);
  });
});

describe('writes that share a commit', () => {
  /** The statements of these writes, which wait at the same time, behind an empty one. */
  async function sentFor(writes: string[], options: WriteQueueOptions = {}): Promise<string[]> {
    const { db, sent } = fakeDatabase();
    const queue = createWriteQueue(db, { togetherMs: Number.POSITIVE_INFINITY, ...options });
    const letGo = hold(queue);
    const begun = writes.map((name) =>
      queue.transaction(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw(name));
      }),
    );
    await letGo();
    await Promise.all(begun);
    return sent.filter((each) => !each.includes('savepoint'));
  }

  it('are as many as wait when the first begins, each in a savepoint but the first', async () => {
    expect(await sentFor(['a', 'b', 'c'])).toEqual([
      'begin',
      'commit',
      'begin',
      'a',
      'b',
      'c',
      'commit',
    ]);
    const { db, sent } = fakeDatabase();
    const queue = createWriteQueue(db, { togetherMs: Number.POSITIVE_INFINITY });
    const letGo = hold(queue);
    const writes = [1, 2].map(() => queue.transaction(async () => {}));
    await letGo();
    await Promise.all(writes);
    expect(sent.slice(2)).toEqual([
      'begin',
      'savepoint attempt',
      'release savepoint attempt',
      'commit',
    ]);
  });

  it('are no more than the group has room for', async () => {
    expect(await sentFor(['a', 'b', 'c'], { together: 2 })).toEqual([
      'begin',
      'commit',
      'begin',
      'a',
      'b',
      'commit',
      'begin',
      'c',
      'commit',
    ]);
    expect(await sentFor(['a', 'b'], { together: 1 })).toEqual([
      'begin',
      'commit',
      'begin',
      'a',
      'commit',
      'begin',
      'b',
      'commit',
    ]);
  });

  it('are no more than have waited: one that comes later gets a commit of its own', async () => {
    const { db, sent } = fakeDatabase();
    const queue = createWriteQueue(db, { togetherMs: Number.POSITIVE_INFINITY });
    const letGo = hold(queue);
    const later: Promise<unknown>[] = [];
    const first = queue.transaction(async () => {
      later.push(queue.transaction(async () => {}));
    });
    await letGo();
    await first;
    await Promise.all(later);
    expect(sent).toEqual(['begin', 'commit', 'begin', 'commit', 'begin', 'commit']);
  });

  it('join it only for so long, so that the first is answered', async () => {
    let now = 1_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    onTestFinished(() => clock.mockRestore());
    const { db, sent } = fakeDatabase();
    const queue = createWriteQueue(db, { togetherMs: 20 });
    const letGo = hold(queue);
    const taking = (ms: number) =>
      queue.transaction(async (tx) => {
        await tx.executeQuery(CompiledQuery.raw(`after ${now} ms`));
        now += ms;
      });
    const writes = [taking(20), taking(1), taking(0)];
    await letGo();
    await Promise.all(writes);
    const [, , ...after] = sent.filter((each) => !each.includes('savepoint'));
    expect(after).toEqual([
      'begin',
      'after 1000 ms',
      'after 1020 ms',
      'commit',
      'begin',
      'after 1021 ms',
      'commit',
    ]);
  });

  it('fail alone, with their own error', async () => {
    const { db } = fakeDatabase();
    const queue = createWriteQueue(db, { togetherMs: Number.POSITIVE_INFINITY });
    const letGo = hold(queue);
    const failing = async (): Promise<void> => {
      throw new Error('the second fails');
    };
    const writes = [
      queue.transaction(async () => 'first'),
      queue.transaction(failing),
      queue.transaction(async () => 'third'),
    ];
    await letGo();
    expect(await Promise.allSettled(writes)).toEqual([
      { status: 'fulfilled', value: 'first' },
      { status: 'rejected', reason: new Error('the second fails') },
      { status: 'fulfilled', value: 'third' },
    ]);
  });

  it('do not include one whose caller has gone meanwhile', async () => {
    const { db } = fakeDatabase();
    const queue = createWriteQueue(db, { togetherMs: Number.POSITIVE_INFINITY });
    const letGo = hold(queue);
    let isGone = false;
    const first = queue.transaction(async () => {
      isGone = true;
      return 'first';
    });
    const second = onBehalfOf({ name: 'key 1', gone: () => isGone }, () =>
      queue.transaction(async () => 'second'),
    );
    await letGo();
    expect(await outcomes([first, second])).toEqual(['first', 'server.busy']);
  });

  it('lock the clock first if other servers write, too', async () => {
    const lock = 'select "value" from "clock" for update';
    expect(await sentFor(['a', 'b'], { isShared: true })).toEqual([
      'begin',
      lock,
      'commit',
      'begin',
      lock,
      'a',
      'b',
      'commit',
    ]);
  });
});

describe('a write that takes long', () => {
  it('has its own connection and commit, in its turn', async () => {
    const ordinary = fakeDatabase();
    const long = fakeDatabase();
    const queue = createWriteQueue(ordinary.db, {
      longWriter: long.db,
      togetherMs: Number.POSITIVE_INFINITY,
    });
    const log: string[] = [];
    const letGo = hold(queue);
    const step = (name: string, takesLong?: boolean) =>
      queue.transaction(async () => log.push(name), takesLong);
    const writes = [
      step('a'),
      step('b', false),
      step('long', true),
      step('c'),
      step('long again', true),
      step('d'),
    ];
    await letGo();
    await Promise.all(writes);
    expect(log).toEqual(['a', 'b', 'long', 'c', 'long again', 'd']);
    expect(long.sent).toEqual(['begin', 'commit', 'begin', 'commit']);
    expect(ordinary.sent.filter((each) => each === 'commit')).toHaveLength(4);
  });
});

describe('a commit that fails', () => {
  const refusals = async (
    commit: () => Promise<void>,
    options: WriteQueueOptions = {},
  ): Promise<unknown[]> => {
    let fails = false;
    const { db } = fakeDatabase({ commit: () => (fails ? commit() : Promise.resolve()) });
    const queue = createWriteQueue(db, { togetherMs: Number.POSITIVE_INFINITY, ...options });
    const letGo = hold(queue);
    const writes = [1, 2].map((n) => queue.transaction(async () => n));
    await letGo();
    fails = true;
    const refused = await Promise.allSettled(writes);
    return refused.map((each) =>
      each.status === 'rejected' ? { ...each.reason, message: each.reason.message } : each.value,
    );
  };

  it('refuses all of its writes with the error', async () => {
    const failure = () => Promise.reject(new Error('the disk is full'));
    expect(await refusals(failure)).toEqual([
      { message: 'the disk is full' },
      { message: 'the disk is full' },
    ]);
  });

  it('leaves the outcome unknown if the database stopped answering', async () => {
    const silence = () => Promise.reject(new DatabaseAway(new Error('no answer')));
    expect(await refusals(silence)).toMatchObject([
      { code: 'server.outcomeUnknown', params: {} },
      { code: 'server.outcomeUnknown', params: {} },
    ]);
  });
});

describe('an idle queue', () => {
  it('has no write that waits or is under way', async () => {
    const queue = await aQueue();
    await queue.idle();
    const log: string[] = [];
    const letGo = hold(queue);
    const idle = queue.idle().then(() => log.push('idle'));
    const next = queue.transaction(async () => log.push('next'));
    expect(queue.waiting()).toBe(1);
    await letGo();
    await Promise.all([idle, next]);
    expect([log, queue.waiting()]).toEqual([['next', 'idle'], 0]);
  });
});

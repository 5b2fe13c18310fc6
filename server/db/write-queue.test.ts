import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freshDatabase } from '../dev/test/databases.ts';
import { DatabaseAway } from './errors.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { type Asker, createWriteQueue, onBehalfOf, type WriteQueue, type WriteQueueOptions } from './write-queue.ts';

async function aQueue(options: WriteQueueOptions = {}): Promise<WriteQueue> {
  const { settings, drop } = await freshDatabase('sqlite');
  const database = await openDatabase(settings, pino({ level: 'silent' }));
  await migrate(database);
  onTestFinished(async () => {
    await database.close();
    await drop();
  });
  return createWriteQueue(database.writer, options);
}

const by = (name: string, gone = false): Asker => ({ name, gone: () => gone });

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
  (await Promise.allSettled(writes)).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason.code ?? each.reason.name)));

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
    expect([a, b, c].map((each) => (each.status === 'fulfilled' ? each.value : each.reason.message))).toEqual(['a', 'b fails', 'c']);
  });

  it('serves callers round-robin, so that one write of another precedes the many of one; the server’s own count as one caller', async () => {
    const queue = await aQueue();
    const letGo = hold(queue);
    const log: string[] = [];
    const says = (what: string) => queue.transaction(async () => log.push(what));
    const greedy = [1, 2, 3, 4, 5].map((n) => onBehalfOf(by('address 1.2.3.4'), () => says(`greedy ${n}`)));
    const other = onBehalfOf(by('key 7'), () => says('other'));
    const own = [1, 2].map((n) => says(`own ${n}`));
    await letGo();
    await Promise.all([...greedy, other, ...own]);
    expect(log).toEqual(['greedy 1', 'other', 'own 1', 'greedy 2', 'own 2', 'greedy 3', 'greedy 4', 'greedy 5']);
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
    for (let n = 1; n <= 50; n += 1) last = await queue.transaction(async () => n).then((value) => queue.transaction(async () => value));
    expect(last).toBe(50);
    await queue.idle();
    expect(queue.waiting()).toBe(0);
  });

  it('refuses writes beyond its limit with the seconds to wait, and loses none of the others', async () => {
    const queue = await aQueue({ limit: 3 });
    const letGo = hold(queue);
    const writes = [1, 2, 3, 4, 5].map((n) => onBehalfOf(by(`key ${n}`), () => queue.transaction(async () => n)));
    await expect(writes[3]).rejects.toMatchObject(BUSY);
    expect(queue.waiting()).toBe(3);
    await letGo();
    expect(await outcomes(writes)).toEqual([1, 2, 3, 'server.busy', 'server.busy']);
  });

  it('is fair: when it is full, the newest write of the caller with the most waiting is refused', async () => {
    const queue = await aQueue({ limit: 4 });
    const letGo = hold(queue);
    const greedy = [1, 2, 3, 4].map((n) => onBehalfOf(by('address 1.2.3.4'), () => queue.transaction(async () => n)));
    const member = onBehalfOf(by('key 7'), () => queue.transaction(async () => 'member'));
    const own = queue.transaction(async () => 'own');
    await letGo();
    expect(await outcomes([...greedy, member, own])).toEqual([1, 2, 'server.busy', 'server.busy', 'member', 'own']);
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
    const given = [true, false].map((each) => onBehalfOf(by('key 1', each), () => gone.transaction(async () => 'written')));
    await Promise.all([letGo(), expect(outcomes(given)).resolves.toEqual(['server.busy', 'written'])]);

    const slow = await aQueue({ waitsMs: -1 });
    letGo = hold(slow);
    const late = onBehalfOf(by('key 1'), () => slow.transaction(async () => 'written'));
    await Promise.all([letGo(), expect(late).rejects.toMatchObject(BUSY)]);
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
    const left = onBehalfOf(by('key 1', true), () => says('written for nobody')).catch(() => log.push('refused'));
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
    expect(await outcomes([silent, ...behind])).toEqual(['DatabaseAway', 'DatabaseAway', 'DatabaseAway']);
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

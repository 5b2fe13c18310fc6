import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { RecordOfKind } from '../../shared/live.ts';
import { readSettings } from '../env.ts';
import { createBackOff } from './back-off.ts';
import { assumedHeartbeats } from './clock/heartbeats.ts';
import type { OpenDatabase, Tx } from './database.ts';
import { fakeDatabase } from './test/fake-database.ts';
import { migratedDatabase } from './test/migrated-database.ts';
import {
  CHANGE_SETS_KEPT,
  type ClockRow,
  defineCollector,
  MANY_ROWS,
  recordChanges,
  type StoredChange,
  type StoredChangeSet,
  type Unit,
  unseenUnit,
  type Writing,
  write,
  writeMany,
} from './unit-of-work.ts';
import { createWriteQueue, onBehalfOf } from './write-queue.ts';

const NOW = new Date('2026-11-21T18:00:00.000Z');
const CLOCK: ClockRow = {
  value: 1,
  board_date: '2026-11-21',
  open_waits: 0,
  next_due: null,
  subscribed_types: null,
  schema: null,
};
const START = { at: NOW, clock: CLOCK };

const category: RecordOfKind = { kind: 'category', record: { id: 3, name: 'North' } };
const key: RecordOfKind = {
  kind: 'access_key',
  record: {
    id: 5,
    character_name: 'Arden Vale',
    key_value: 'K7QM-2F9A-XW3C',
    created_by_username: 'admin',
    member_type: 'member',
    created_at: NOW.toISOString(),
    is_revoked: 0,
    revoked_because: null,
    discord_user_id: null,
    discord_name: null,
  },
};

const place = {
  respawn_id: 1,
  respawn_name: 'Asura Palace',
  date: '2026-11-22',
  hour_start: 10,
  hour_end: 14,
};
const transfer: RecordOfKind = {
  kind: 'transfer',
  record: {
    id: 9,
    kind: 'handover',
    claim_id: 1,
    for_claim_id: null,
    from: 'Arden Vale',
    to: 'Bubble',
    offered: place,
    wanted: null,
    created_at: NOW.toISOString(),
    expires_at: NOW.toISOString(),
  },
};

describe('what a write records for its watchers', () => {
  it('goes to those who see the kind, unless the write names others', () => {
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, START);
    changes.put(category);
    changes.put(key);
    changes.remove('category', 3);
    changes.remove('access_key', 5);
    changes.put(category, 'members');
    changes.remove('category', 3, 'dashboard');
    changes.sendOwn(['arden vale']);
    expect(
      stored.map((each) => ['audience' in each ? each.audience : each.owners, each.change.op]),
    ).toEqual([
      ['all', 'put'],
      ['admins', 'put'],
      ['all', 'remove'],
      ['admins', 'remove'],
      ['members', 'put'],
      ['dashboard', 'remove'],
      [['arden vale'], 'own'],
    ]);
  });

  it('is the whole record, or the id of a removed one', () => {
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, START);
    changes.put(category);
    changes.remove('category', 3);
    expect(stored).toEqual([
      { audience: 'all', change: { op: 'put', ...category } },
      { audience: 'all', change: { op: 'remove', kind: 'category', id: 3 } },
    ]);
  });

  it('names the owners of a record that they are sent themselves', () => {
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, START);
    changes.putOwned(transfer, ['arden vale', 'bubble']);
    changes.removeOwned('transfer', 9, ['bubble']);
    expect(stored).toEqual([
      {
        audience: 'dashboard',
        change: { op: 'put', ...transfer },
        owners: ['arden vale', 'bubble'],
      },
      {
        audience: 'dashboard',
        change: { op: 'remove', kind: 'transfer', id: 9 },
        owners: ['bubble'],
      },
    ]);
  });

  it('can be that all of them load the board again', () => {
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, START);
    changes.reset();
    changes.reset('members');
    expect(stored).toEqual([
      { audience: 'all', change: { op: 'reset' } },
      { audience: 'members', change: { op: 'reset' } },
    ]);
  });
});

/** A collector of texts, starting with the board's date. */
const aCollector = () =>
  defineCollector<string[]>(
    ({ clock }) => [clock.board_date],
    (notes) => {
      const before = [...notes];
      return () => void notes.splice(0, notes.length, ...before);
    },
  );

describe("a feature's notes on a write", () => {
  it('are made once from the facts of the write, and kept apart from those of others', () => {
    const changes = recordChanges([], START);
    const one = aCollector();
    const other = aCollector();
    changes.collect(one).push('first');
    changes.collect(one).push('second');
    expect([changes.collect(one), changes.collect(other)]).toEqual([
      [CLOCK.board_date, 'first', 'second'],
      [CLOCK.board_date],
    ]);
  });

  it('are discarded with a savepoint, changes too, back to each mark', () => {
    const stored: StoredChange[] = [];
    const changes = recordChanges(stored, START);
    const early = aCollector();
    const late = aCollector();
    changes.put(category);
    changes.collect(early).push('before');
    const discardAll = changes.mark();
    changes.put(key);
    changes.collect(early).push('between');
    const discardSome = changes.mark();
    changes.reset();
    changes.collect(early).push('after');
    // First used after both marks.
    changes.collect(late).push('after');
    discardSome();
    expect([stored.length, changes.collect(early), changes.collect(late)]).toEqual([
      2,
      [CLOCK.board_date, 'before', 'between'],
      [CLOCK.board_date],
    ]);
    discardAll();
    expect([stored.length, changes.collect(early), changes.collect(late)]).toEqual([
      1,
      [CLOCK.board_date, 'before'],
      [CLOCK.board_date],
    ]);
  });

  it('of a write that no one learns of begin without waitlists, deadlines or subscriptions', async () => {
    const { ctx } = await aWriter();
    const { changes } = await ctx.writes.transaction(async (tx) => unseenUnit(ctx, tx));
    const start = changes.collect(
      defineCollector(
        (facts) => facts,
        () => () => {},
      ),
    );
    expect(start).toEqual({
      at: NOW,
      clock: {
        value: 0,
        board_date: '',
        open_waits: 0,
        next_due: null,
        subscribed_types: null,
        schema: null,
      },
    });
  });
});

interface Written {
  ctx: Writing;
  database: OpenDatabase;
  published: StoredChangeSet[];
  /** The steps, in order. */
  log: string[];
  clock: () => Promise<ClockRow>;
  setClock: (
    row: Partial<Record<'value', number> & Record<'board_date', string>>,
  ) => Promise<unknown>;
  changeSets: () => Promise<{ clock: number; at: string; body: string }[]>;
  categories: () => Promise<string[]>;
}

async function aWriter(change: Partial<Writing> = {}): Promise<Written> {
  const database = await migratedDatabase();
  const published: StoredChangeSet[] = [];
  const log: string[] = [];
  const { db, longReads } = database;
  const ctx: Writing = {
    env: readSettings({}),
    now: () => NOW,
    db,
    longReads,
    dialect: 'sqlite',
    heartbeats: assumedHeartbeats,
    deadlines: [],
    listeners: [],
    configFlags: {},
    readMissed: async () => new Map(),
    memory: new Map(),
    isInCharge: () => true,
    backOff: createBackOff({ error: () => {} }),
    writes: createWriteQueue(database.writer),
    publish: (set) => {
      published.push(set);
      log.push('published');
      return null;
    },
    hooks: [],
    ...change,
  };
  const { writer } = database;
  return {
    ctx,
    database,
    published,
    log,
    clock: () => db.selectFrom('clock').selectAll().$castTo<ClockRow>().executeTakeFirstOrThrow(),
    setClock: (row) => writer.updateTable('clock').set(row).execute(),
    changeSets: () => db.selectFrom('changes').selectAll().orderBy('clock').execute(),
    categories: async () =>
      (await db.selectFrom('categories').select('name').orderBy('id').execute()).map(
        ({ name }) => name,
      ),
  };
}

const addCategory =
  (name: string) =>
  async ({ tx }: Unit): Promise<void> => {
    await tx.insertInto('categories').values({ name, name_key: name.toLowerCase() }).execute();
  };

describe('a write', () => {
  it('advances the clock by one, stores one change set with it, and publishes that', async () => {
    const { ctx, clock, changeSets, published } = await aWriter();
    const before = (await clock()).value;
    const result = await write(ctx, async (unit) => {
      const { changes } = unit;
      await addCategory('North')(unit);
      changes.put(category);
      return 'the result';
    });
    const changes = [{ audience: 'all', change: { op: 'put', ...category } }];
    expect([result, (await clock()).value]).toEqual(['the result', before + 1]);
    const [stored, ...others] = await changeSets();
    expect([{ ...stored, body: JSON.parse(stored?.body ?? '') }, others]).toEqual([
      { clock: before + 1, at: NOW.toISOString(), body: changes },
      [],
    ]);
    expect(published).toEqual([{ clock: before + 1, at: NOW.toISOString(), changes }]);
  });

  it('stores an empty change set if no watcher learns of it', async () => {
    const { ctx, changeSets, published } = await aWriter();
    await write(ctx, async () => {});
    expect((await changeSets()).map(({ body }) => body)).toEqual(['[]']);
    expect(published.map(({ changes }) => changes)).toEqual([[]]);
  });

  it('advances the clock before its work, whose facts are the clock row and the time after the lock', async () => {
    const { ctx, clock, setClock, log } = await aWriter();
    await setClock({ value: 41, board_date: '2026-11-21' });
    const times = ['2026-11-21T18:00:00.000Z', '2026-11-21T18:00:01.000Z'].map(
      (iso) => new Date(iso),
    );
    const facts: unknown[] = [];
    const hooks = [
      {
        before: async ({ at, clock: row }: { at: Date; clock: ClockRow }) =>
          void facts.push([at, row.value, row.board_date]),
      },
    ];
    const result = await write(
      { ...ctx, hooks, now: () => times.shift() ?? NOW },
      async ({ tx, changes }) => {
        const inside = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
        const start = changes.collect(
          defineCollector(
            ({ at }) => at,
            () => () => {},
          ),
        );
        return [inside.value, start];
      },
    );
    expect(facts).toEqual([[new Date('2026-11-21T18:00:00.000Z'), 42, '2026-11-21']]);
    expect(result).toEqual([42, new Date('2026-11-21T18:00:00.000Z')]);
    expect([(await clock()).value, log]).toEqual([42, ['published']]);
  });

  it('stores the time after its work with the change set', async () => {
    const { ctx, changeSets, published } = await aWriter();
    const times = ['2026-11-21T18:00:00.000Z', '2026-11-21T18:00:05.000Z'].map(
      (iso) => new Date(iso),
    );
    await write({ ...ctx, now: () => times.shift() ?? NOW }, async () => {});
    expect((await changeSets()).map(({ at }) => at)).toEqual(['2026-11-21T18:00:05.000Z']);
    expect(published.map(({ at }) => at)).toEqual(['2026-11-21T18:00:05.000Z']);
  });

  it('runs the hooks around its work: before in order, after in reverse, and once committed in order', async () => {
    const { ctx, log } = await aWriter();
    const hook = (name: string): Writing['hooks'][number] => ({
      before: async () => void log.push(`${name} before`),
      after: async () => void log.push(`${name} after`),
      committed: () => void log.push(`${name} committed`),
    });
    await write(
      { ...ctx, hooks: [hook('one'), {}, hook('two')] },
      async () => void log.push('work'),
    );
    expect(log).toEqual([
      'one before',
      'two before',
      'work',
      'two after',
      'one after',
      'published',
      'one committed',
      'two committed',
    ]);
  });

  it('gives all of them the same changes', async () => {
    const { ctx, published } = await aWriter();
    const seen = new Set<unknown>();
    const hook: Writing['hooks'][number] = {
      before: async ({ changes }) => {
        seen.add(changes);
        changes.put(category);
      },
      after: async ({ changes }) => {
        seen.add(changes);
        changes.reset();
      },
      committed: ({ changes }) => void seen.add(changes),
    };
    await write({ ...ctx, hooks: [hook] }, async ({ changes }) => {
      seen.add(changes);
      changes.remove('category', 3);
    });
    expect(seen.size).toBe(1);
    expect(published.map(({ changes }) => changes.map(({ change }) => change.op))).toEqual([
      ['put', 'remove', 'reset'],
    ]);
  });

  it.each(['before', 'work', 'after'] as const)(
    'that fails in %s stores and publishes nothing',
    async (where) => {
      const { ctx, clock, categories, changeSets, log } = await aWriter();
      const before = [(await clock()).value, await categories()];
      const fail = async (): Promise<void> => {
        throw new Error(`${where} fails`);
      };
      const hooks = [
        { committed: () => void log.push('committed') },
        ...(where === 'work' ? [] : [{ [where]: fail }]),
      ];
      const failing = write({ ...ctx, hooks }, async (unit) => {
        await addCategory('North')(unit);
        if (where === 'work') await fail();
      });
      await expect(failing).rejects.toThrow(`${where} fails`);
      expect([(await clock()).value, await categories()]).toEqual(before);
      expect([await changeSets(), log]).toEqual([[], []]);
    },
  );

  it('authorizes its caller again before hooks and work, once it has the lock', async () => {
    const { ctx, clock, log } = await aWriter();
    const { value } = await clock();
    const authorize = async (tx: Tx): Promise<void> => {
      const inside = await tx.selectFrom('clock').select('value').executeTakeFirstOrThrow();
      log.push(`authorized at ${inside.value}`);
    };
    const hooks = [{ before: async () => void log.push('before') }];
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = ctx.writes.transaction(() => promise);
    // The queue runs it outside of the caller's async context.
    const written = onBehalfOf({ name: 'key 1', gone: () => false, authorize }, () =>
      write({ ...ctx, hooks }, async () => void log.push('work')),
    );
    log.push('waits');
    resolve();
    await Promise.all([held, written]);
    expect(log).toEqual(['waits', `authorized at ${value + 1}`, 'before', 'work', 'published']);
  });

  it('stores nothing if its caller has lost its rights meanwhile', async () => {
    const { ctx, categories, changeSets } = await aWriter();
    const before = await categories();
    const caller = {
      name: 'key 1',
      gone: () => false,
      authorize: () => Promise.reject(new Error('no longer allowed')),
    };
    await expect(onBehalfOf(caller, () => write(ctx, addCategory('North')))).rejects.toThrow(
      'no longer allowed',
    );
    expect([await categories(), await changeSets()]).toEqual([before, []]);
  });

  it('waits for its change set to be published, if that is awaited', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const publish = vi.fn(() => promise);
    const { ctx, log } = await aWriter({ publish });
    const written = write(ctx, async () => {}).then(() => log.push('answered'));
    await expect.poll(() => publish.mock.calls.length).toBe(1);
    log.push('published');
    resolve();
    await written;
    expect(log).toEqual(['published', 'answered']);
  });

  it('is refused where a newer program has migrated the database', async () => {
    const { ctx, database, clock } = await aWriter();
    const { value } = await clock();
    await sql`insert into kysely_migration (name, timestamp) values ('999-newer', '')`.execute(
      database.writer,
    );
    await expect(write(ctx, async () => {})).rejects.toMatchObject({ code: 'server.outdated' });
    expect((await clock()).value).toBe(value);
  });

  it('needs a clock', async () => {
    const { ctx, database } = await aWriter();
    await database.writer.deleteFrom('clock').execute();
    await expect(write(ctx, async () => {})).rejects.toThrow('the clock has no row');
  });
});

describe('the connection of a write', () => {
  it.each([
    [0, false],
    [MANY_ROWS - 1, false],
    [MANY_ROWS, true],
  ])('for %i rows takes long: %s', async (rows, takesLong) => {
    const { ctx } = await aWriter();
    const transaction = vi.spyOn(ctx.writes, 'transaction');
    expect(await writeMany(ctx, rows, async () => 'the result')).toBe('the result');
    expect(transaction.mock.calls.map(([, long]) => long)).toEqual([takesLong]);
  });

  it('is the ordinary one, unless it says how many rows it has', async () => {
    const { ctx } = await aWriter();
    const transaction = vi.spyOn(ctx.writes, 'transaction');
    await write(ctx, async () => {});
    expect(transaction.mock.calls.map(([, long]) => long)).toEqual([false]);
  });
});

describe('change sets of long ago', () => {
  /** A write at this clock, and the clocks that are still stored after it, of `stored` ones from 1 on. */
  async function keptAfter(
    clock: number,
    stored: number,
  ): Promise<{ first: number | undefined; count: number }> {
    const { ctx, database, setClock, changeSets } = await aWriter();
    await setClock({ value: clock - 1 });
    await sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${stored})
      insert into changes (clock, body, at) select i, '[]', '' from numbers`.execute(
      database.writer,
    );
    await write(ctx, async () => {});
    const sets = await changeSets();
    return { first: sets[0]?.clock, count: sets.length };
  }

  it('are deleted every 100 writes, but for the last 5,000', async () => {
    expect(CHANGE_SETS_KEPT).toBe(5_000);
    expect(await keptAfter(5_300, 400)).toEqual({ first: 301, count: 101 });
    expect(await keptAfter(5_299, 400)).toEqual({ first: 1, count: 401 });
  });

  it('are deleted a thousand at a time, the oldest first', async () => {
    expect(await keptAfter(9_000, 1_500)).toEqual({ first: 1_001, count: 501 });
  });
});

describe('with PostgreSQL', () => {
  const row: ClockRow = { ...CLOCK, value: 7 };
  const written = async (dialect: Writing['dialect']): Promise<string[]> => {
    const { db, sent } = fakeDatabase({
      rowsOf: (text) => (text.startsWith('update "clock"') ? [row] : []),
    });
    const { ctx } = await aWriter();
    await write({ ...ctx, dialect, writes: createWriteQueue(db) }, async () => {});
    return sent;
  };

  it('the other servers are notified by the commit', async () => {
    const sent = await written('postgres');
    expect(sent.slice(-2)).toEqual(['select pg_notify($1, $2)', 'commit']);
    expect(await written('sqlite')).not.toContain('select pg_notify($1, $2)');
  });
});

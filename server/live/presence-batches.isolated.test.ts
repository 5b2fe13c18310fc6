import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PresenceNews } from '../../shared/live.ts';
import { BATCH_MS, batchNews, inOneMessage, NEWS_PER_MESSAGE, presenceMessages } from './presence.ts';

const put = (id: string, hour_start = 10): PresenceNews => ({
  op: 'put',
  chooser: { id, name: id, choices: [{ respawn_id: 1, date: '2026-11-21', hour_start, hour_end: 24 }] },
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(tell: (news: readonly PresenceNews[]) => void = () => {}) {
  const batches: (readonly PresenceNews[])[] = [];
  const failures: unknown[] = [];
  const { add, stop } = batchNews(
    (news) => {
      batches.push(news);
      tell(news);
    },
    (error) => failures.push(error),
  );
  return { add, stop, batches, failures };
}

describe('presence updates to watchers', () => {
  it('is sent at once after a quiet moment, and then once per interval, for any number of choices', () => {
    const { add, batches } = start();
    add(put('first'));
    expect(batches).toEqual([[put('first')]]);
    const stretches = 5;
    for (let ms = 0; ms < stretches * BATCH_MS; ms += 10) {
      for (let who = 0; who < 100; who += 1) add(put(`chooser ${who}`, ms % 20));
      vi.advanceTimersByTime(10);
    }
    expect(batches).toHaveLength(1 + stretches);
    for (const news of batches.slice(1)) expect(news).toHaveLength(100);
    vi.advanceTimersByTime(BATCH_MS);
    add(put('after a quiet while'));
    expect(batches.at(-1)).toEqual([put('after a quiet while')]);
  });

  it('contain each person’s latest selection, and the number of watchers', () => {
    const { add, batches } = start();
    add({ op: 'watching', watching: 1 });
    add(put('riley', 10));
    add({ op: 'watching', watching: 2 });
    add(put('riley', 12));
    add(put('sable', 1));
    add({ op: 'watching', watching: 3 });
    add({ op: 'remove', id: 'sable' });
    vi.advanceTimersByTime(BATCH_MS);
    expect(batches.at(-1)).toHaveLength(3);
    expect(batches.at(-1)).toEqual(
      expect.arrayContaining([put('riley', 12), { op: 'watching', watching: 3 }, { op: 'remove', id: 'sable' }]),
    );
  });

  it('continue after a failed broadcast, and stop with the server', () => {
    const { add, stop, batches, failures } = start((news) => {
      if (news.length > 1) throw new Error('not to be told');
    });
    add(put('riley'));
    add(put('sable'));
    add(put('bram'));
    vi.advanceTimersByTime(BATCH_MS);
    expect(failures).toHaveLength(1);
    add(put('riley', 12));
    stop();
    vi.advanceTimersByTime(BATCH_MS);
    expect(batches).toHaveLength(2);
  });

  it('reaches everyone but its subject, and hundreds cost as much as they are, not their square', () => {
    const all = Array.from({ length: 400 }, (_, n) => put(`chooser ${n}`));
    const batches = [...presenceMessages(all, ['everybody'])].map(({ message, to, except = [] }) => ({
      news: message.op === 'several' ? message.news : message.op === 'state' ? [] : [message],
      isFor: (id: string) => (to.includes('everybody') ? !except.includes(id) : to.includes(id)),
    }));
    for (const n of [0, 30, 399]) {
      const received = batches.filter(({ isFor }) => isFor(`chooser ${n}`)).flatMap(({ news }) => news);
      expect(new Set(received)).toEqual(new Set(all.toSpliced(n, 1)));
      expect(received).toHaveLength(399);
    }
    expect(batches.reduce((sum, { news }) => sum + news.length, 0)).toBeLessThanOrEqual(all.length * NEWS_PER_MESSAGE);
  });

  it('is one message: of one piece of news that piece, as watchers of every version know it', () => {
    expect(inOneMessage([put('riley')])).toEqual(put('riley'));
    expect(inOneMessage([put('riley'), put('sable')])).toEqual({ op: 'several', news: [put('riley'), put('sable')] });
  });
});

import { describe, expect, it, vi } from 'vitest';
import { later } from './later.ts';

const NEVER_MS = 1_000_000;

describe('what is begun after the start', () => {
  it('is begun by whoever asks for it first, once', async () => {
    const begin = vi.fn(async () => 'begun');
    const jobs = later(begin, () => {}, NEVER_MS);
    expect(await Promise.all([jobs.get(), jobs.get()])).toEqual(['begun', 'begun']);
    expect(await jobs.stop()).toBe('begun');
    expect(begin).toHaveBeenCalledTimes(1);
  });

  it('is begun although nobody asks', async () => {
    const begun = Promise.withResolvers<void>();
    later(async () => begun.resolve(), begun.reject, 1);
    await begun.promise;
  });

  it('is told about where it cannot be begun, and tried again by who asks', async () => {
    const failed = Promise.withResolvers<unknown>();
    const begin = vi.fn(async () => 'begun').mockRejectedValueOnce(new Error('the disk is gone'));
    const jobs = later(begin, failed.resolve, 1);
    expect(await failed.promise).toEqual(new Error('the disk is gone'));
    expect(await jobs.get()).toBe('begun');
  });

  it('is not begun any more once the server stops', async () => {
    const begin = vi.fn(async () => 'begun');
    const jobs = later(begin, () => {}, 1);
    expect(await jobs.stop()).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(begin).not.toHaveBeenCalled();
  });
});

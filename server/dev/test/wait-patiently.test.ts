import { expect, it, vi } from 'vitest';

it('waits longer than a second, as a busy machine needs', async () => {
  const late = performance.now() + 1_200;
  await Promise.all([
    vi.waitFor(() => expect(performance.now()).toBeGreaterThan(late)),
    vi.waitUntil(() => performance.now() > late),
    expect.poll(() => performance.now()).toBeGreaterThan(late),
  ]);
});

it('a test’s own limit is kept', async () => {
  const never = vi.fn(() => expect(1).toBe(2));
  await expect(vi.waitFor(never, { timeout: 20, interval: 5 })).rejects.toThrow(
    'expected 1 to be 2',
  );
  await expect(vi.waitFor(never, 20)).rejects.toThrow('expected 1 to be 2');
});

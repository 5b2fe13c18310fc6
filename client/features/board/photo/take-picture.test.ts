import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pictureName } from './photo-controls.tsx';
import { pictureColumns, pictureScale, settleEmblems } from './take-picture.ts';

test('a picture is named from the title and the date, in letters that every file system takes', () => {
  const named = (title: string): string => pictureName(title, '2026-11-21');
  expect(named('General')).toBe('general-2026-11-21.png');
  expect(named("  Ab'Dendriel / Pits & Tombs ")).toBe('ab-dendriel-pits-tombs-2026-11-21.png');
  expect(named('Año Nuevo: Ünder')).toBe('año-nuevo-ünder-2026-11-21.png');
  expect(named('狩場 2')).toBe('狩場-2-2026-11-21.png');
  expect(named('../..\\<>:"|?*')).toBe('category-2026-11-21.png');
  expect(new TextEncoder().encode(named('𠮷'.repeat(200))).length).toBeLessThanOrEqual(255);
});

test('a picture has two pixels for one, fewer where it would be larger than browsers draw', () => {
  expect(pictureScale(1128, 900)).toBe(2);
  for (const height of [6_000, 20_000, 60_000]) {
    const scale = pictureScale(1128, height);
    expect(scale).toBeLessThan(2);
    expect(height * scale).toBeLessThanOrEqual(16_000);
    expect(1128 * scale * height * scale).toBeLessThanOrEqual(16_000_001);
  }
});

test('few cards leave no column empty', () => {
  expect([0, 1, 2, 3, 4, 5, 12, 13, 285].map(pictureColumns)).toEqual([1, 1, 2, 3, 2, 3, 3, 4, 4]);
});

describe('emblems', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** As a browser shows it: loading, until it has loaded with a size or without one. */
  function anEmblem(name: string): {
    card: HTMLElement;
    arrives: (width: number, height: number) => void;
  } {
    const card = document.createElement('article');
    card.innerHTML = `<h3>${name}</h3><span><img width="36" height="36" loading="lazy"></span>`;
    const image = card.querySelector('img');
    const set = (state: object): void => {
      for (const [key, value] of Object.entries(state))
        Object.defineProperty(image, key, { value, configurable: true });
    };
    set({ complete: false, naturalWidth: 0, naturalHeight: 0 });
    return {
      card,
      arrives: (naturalWidth, naturalHeight) => {
        set({ complete: true, naturalWidth, naturalHeight });
        image?.dispatchEvent(new Event(naturalWidth > 0 ? 'load' : 'error'));
      },
    };
  }

  test('are waited for 15 seconds and no longer; a late or broken one becomes the letter of its spot', async () => {
    const tomb = anEmblem('Tomb');
    const broken = anEmblem('Broken Ruin');
    const never = anEmblem('Never Land');
    const root = document.createElement('section');
    root.append(tomb.card, broken.card, never.card);
    const done = vi.fn();
    void settleEmblems(root, 15_000).then(done);
    expect([...root.querySelectorAll('img')].map((image) => image.getAttribute('loading'))).toEqual(
      ['eager', 'eager', 'eager'],
    );
    tomb.arrives(64, 32);
    broken.arrives(0, 0);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toHaveBeenCalledOnce();
    expect(
      [broken.card, never.card].map((card) => card.querySelector('span')?.textContent),
    ).toEqual(['B', 'N']);
    // Twice as wide as high: what draws the picture would stretch it.
    const kept = root.querySelector('img');
    expect([kept?.width, kept?.height]).toEqual([36, 18]);
  });

  test('that are all there are not waited for', async () => {
    const tomb = anEmblem('Tomb');
    tomb.arrives(32, 32);
    await expect(settleEmblems(tomb.card, 15_000)).resolves.toBeUndefined();
  });
});

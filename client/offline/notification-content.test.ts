import { describe, expect, it } from 'vitest';
import { addressOf, noticeOf } from './notifications.ts';

const PAYLOAD = {
  kind: 'hold_offered',
  title: 'Held for you: Fire Library',
  body: 'Arden Vale: Sun 22 Nov',
  tag: 'hold-5',
  url: '/mine?wait=5',
  language: 'es',
};
const KEPT = {
  language: 'pt',
  unreadable: { title: 'Novidades do Claimboard', body: 'Abra o quadro.' },
} as const;
const contentOf = (payload: object | string | null, isWatched = false) =>
  noticeOf(
    typeof payload === 'string' || payload === null ? payload : JSON.stringify(payload),
    KEPT,
    isWatched,
  );

describe('a notice', () => {
  it('is shown as the server wrote it, leads to its address, and alerts again for a hold', () => {
    expect(contentOf(PAYLOAD)).toEqual({
      title: 'Held for you: Fire Library',
      options: {
        body: 'Arden Vale: Sun 22 Nov',
        icon: '/icons/icon-192.png',
        lang: 'es',
        tag: 'hold-5',
        renotify: true,
        data: { url: '/mine?wait=5' },
      },
    });
  });

  it.each([
    ['hold_offered', true],
    ['confirm_now', true],
    ['hunt_begins', false],
    ['claim_changed', false],
    ['test', false],
  ])('of %s rings again in the place of an earlier one: %s', (kind, renotify) => {
    expect(contentOf({ ...PAYLOAD, kind }).options.renotify).toBe(renotify);
  });

  it('is silent where a page in view shows the offer itself, and only then', () => {
    expect(contentOf(PAYLOAD, true).options).toMatchObject({ silent: true });
    // Browsers throw if both are set.
    expect(contentOf(PAYLOAD, true).options).not.toHaveProperty('renotify');
    expect(contentOf({ ...PAYLOAD, kind: 'confirm_now' }, true).options).not.toHaveProperty(
      'silent',
    );
  });

  it('without a tag does not ring again, which browsers refuse', () => {
    const { options } = contentOf({ ...PAYLOAD, tag: undefined });
    expect(options).toMatchObject({ renotify: false });
    expect(options).not.toHaveProperty('tag');
  });

  it('an unknown kind of a newer version shows the fields that can be read', () => {
    const { title, options } = contentOf({
      kind: 'treasure_found',
      title: 'Treasure',
      url: '/treasure',
      priority: 7,
    });
    expect([title, options.body, options.data.url, options.lang]).toEqual([
      'Treasure',
      '',
      '/treasure',
      'pt',
    ]);
  });

  it.each([null, '', 'not JSON', '7', 'null', '[]', '{"title":7}', '{"title":""}'])(
    'of %j says that there is something',
    (text) => {
      const { title, options } = contentOf(text);
      expect([title, options.body, options.data.url]).toEqual([
        KEPT.unreadable.title,
        KEPT.unreadable.body,
        '/mine',
      ]);
    },
  );

  it('says so even where the page has kept no words', () => {
    expect(noticeOf(null, null, false)).toMatchObject({
      title: 'Claimboard',
      options: { body: '', lang: 'en' },
    });
  });
});

it.each([
  [{ url: '/mine?wait=5' }, '/mine?wait=5'],
  [{ url: '/?date=2026-11-22&claim=7#here' }, '/?date=2026-11-22&claim=7'],
  [{ url: 'https://board.example/mine' }, '/mine'],
  [{ url: 'https://elsewhere.example/mine' }, '/'],
  [{ url: '//elsewhere.example/mine' }, '/'],
  [{ url: 'javascript:alert(1)' }, '/'],
  [{ url: 'https://[' }, '/'],
  [{ url: 7 }, '/'],
  [null, '/'],
  ['/mine', '/'],
])('pressed, one that carries %j leads to %s', (data, address) => {
  expect(addressOf(data, 'https://board.example')).toBe(address);
});

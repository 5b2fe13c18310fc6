import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';

afterEach(() => {
  document.adoptedStyleSheets = [];
});

const seen = (): (string | null)[] =>
  screen.queryAllByRole('button').map((button) => button.textContent);

test('a style hides an element, its own or an ancestor’s', () => {
  render(
    <>
      <button type="button">Seen</button>
      <button type="button" style={{ display: 'none' }}>
        Gone
      </button>
      <div style={{ display: 'none' }}>
        <button type="button">Gone with it</button>
      </div>
      <div style={{ visibility: 'hidden' }}>
        <button type="button">Hidden with it</button>
      </div>
      <dialog>
        <button type="button">Closed</button>
      </dialog>
      <dialog open>
        <button type="button">Open</button>
      </dialog>
    </>,
  );
  expect(seen()).toEqual(['Seen', 'Open']);
});

test('an accessible name excludes hidden text', () => {
  render(
    <button type="button">
      Go<span style={{ display: 'none' }}> away</span>
    </button>,
  );
  expect(screen.getByRole('button', { name: 'Go' })).toBeTruthy();
});

test.each(['display: none', 'visibility: hidden'])(
  'a sheet that hides by %s hides an element, which shows again without it',
  (rule) => {
    render(
      <button type="button" className="one">
        One
      </button>,
    );
    expect(seen()).toEqual(['One']);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`.one { ${rule} }`);
    document.adoptedStyleSheets = [sheet];
    expect(seen()).toEqual([]);
    document.adoptedStyleSheets = [];
    expect(seen()).toEqual(['One']);
  },
);

test('and by an element of styles', () => {
  render(
    <>
      <style>{'.one { display: none }'}</style>
      <button type="button" className="one">
        One
      </button>
    </>,
  );
  expect(seen()).toEqual([]);
});

import { cleanup, render } from '@testing-library/react';
import fc from 'fast-check';
import { Fragment, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sized } from '../../server/dev/test/scope.ts';
import { allowTranslation } from './translated-page.ts';

const { removeChild, insertBefore } = Node.prototype;
let stop: () => void;
beforeEach(() => {
  stop = allowTranslation();
});
afterEach(() => {
  cleanup();
  stop();
  Object.assign(Node.prototype, { removeChild, insertBefore });
});

interface Item {
  key: number;
  text: string | null;
  /** Beside the text, before or after it. */
  element: string | null;
  isFirst: boolean;
}

function Page({ items, rest }: { items: readonly Item[]; rest: string | null }): ReactNode {
  return (
    <p>
      {items.map(({ key, text, element, isFirst }) => (
        <Fragment key={key}>
          {isFirst ? text : null}
          {element === null ? null : <b>{element}</b>}
          {isFirst ? null : text}
        </Fragment>
      ))}
      {rest}
    </p>
  );
}

function textsIn(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode);
  return texts.filter(({ parentElement }) => parentElement?.tagName !== 'FONT');
}

const originals = new Map<Element, Text>();
const TRANSLATORS = {
  /** As Chrome does it: two elements in the text's place. */
  replace: (text: Text) => {
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.textContent = text.data;
    outer.append(inner);
    text.parentNode?.insertBefore(outer, text);
    text.parentNode?.removeChild(text);
    originals.set(outer, text);
  },
  replaceAtOnce: (text: Text) => {
    const font = document.createElement('font');
    font.textContent = text.data;
    text.replaceWith(font);
    originals.set(font, text);
  },
  wrap: (text: Text) => {
    const font = document.createElement('font');
    text.replaceWith(font);
    font.append(text);
  },
};

/** "Show original": the texts are put back. */
function restore(): void {
  for (const [font, text] of originals) if (font.isConnected) font.replaceWith(text);
  originals.clear();
}

/** What was observed has been handled. */
const observed = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const word = fc.option(fc.constantFrom('a', 'b', ' '), { nil: null });
const item = fc.record<Item>({ key: fc.nat(5), text: word, element: word, isFirst: fc.boolean() });
const page = fc.record({
  items: fc.uniqueArray(item, { selector: ({ key }) => key, maxLength: 5 }),
  rest: word,
});
const translation = fc.constantFrom('replace', 'replaceAtOnce', 'wrap', 'restore', 'none');
const steps = fc.array(fc.record({ page, translation, every: fc.integer({ min: 1, max: 3 }) }), {
  minLength: 2,
  maxLength: 6,
});

test('a translated page shows what React renders, however translators change its texts', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (steps) => {
      const translated = render(<div />);
      const plain = render(<div />);
      for (const { page, translation, every } of steps) {
        translated.rerender(<Page {...page} />);
        plain.rerender(<Page {...page} />);
        await observed();
        expect(translated.container.textContent).toBe(plain.container.textContent);
        if (translation === 'restore') restore();
        else if (translation !== 'none')
          for (const text of textsIn(translated.container).filter((_, at) => at % every === 0))
            TRANSLATORS[translation](text);
        await observed();
      }
      translated.unmount();
      expect(translated.container.textContent).toBe('');
      plain.unmount();
    }),
    { numRuns: sized(40, 500) },
  );
});

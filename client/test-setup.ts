import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { changeLanguage, loadAdminSentences, loadNoticeSentences, startLanguage } from './i18n.ts';

/** Happy DOM has no layout: whatever is looked at is in view. */
class EverythingInView extends IntersectionObserver {
  readonly #tell: (entries: IntersectionObserverEntry[]) => void;
  constructor(callback: IntersectionObserverCallback) {
    super(callback);
    this.#tell = (entries) => callback(entries, this);
  }
  override observe(target: Element): void {
    const area = target.getBoundingClientRect();
    const place = { boundingClientRect: area, intersectionRect: area, rootBounds: null };
    this.#tell([{ target, isIntersecting: true, intersectionRatio: 1, time: 0, ...place }]);
  }
}
vi.stubGlobal('IntersectionObserver', EverythingInView);

// What is looked for may come late on a machine that is busy with other things, too.
configure({ asyncUtilTimeout: 10_000 });

await startLanguage('en');
// However long its file takes on a busy machine.
await changeLanguage('en');
await loadAdminSentences();
await loadNoticeSentences();

afterEach(cleanup);

import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterEach, vi } from 'vitest';
import { queryClient } from './api/query.ts';
import { changeLanguage, loadAdminSentences, loadNoticeSentences, startLanguage } from './i18n.ts';
import { useOverlays } from './state/overlays.ts';
import { tellSeenQuickly } from './test/quick-styles.ts';

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

// While something is looked for again and again nobody reads why it is not there yet: the page is printed when time is up.
const { getElementError } = getConfig();
configure({
  getElementError: (message, container) =>
    message && Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') ? new Error(message) : getElementError(message, container),
});

tellSeenQuickly();

// React keeps a stack for every element that is made, a tenth of what pages cost to draw, until it has kept as many as this in a
// second. Its warnings come without them, too, and name the component.
const ENOUGH_STACKS = 10_000;
Object.defineProperty(Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'), 'recentlyCreatedOwnerStacks', {
  get: () => ENOUGH_STACKS,
  set: () => {},
});

await startLanguage('en');
// However long its file takes on a busy machine.
await changeLanguage('en');
await loadAdminSentences();
await loadNoticeSentences();

afterEach(() => {
  cleanup();
  // Tests share the stores, but no open overlays and no cached answers.
  useOverlays.setState({ open: {} });
  queryClient.clear();
});

import { cleanup, configure, getConfig } from '@testing-library/react';
import * as React from 'react';
import { afterEach, vi } from 'vitest';
import { queryClient } from './api/query.ts';
import { changeLanguage, loadAdminSentences, loadNoticeSentences, startLanguage } from './i18n.ts';
import { useOverlays } from './state/overlays.ts';
import { speedUpSentences } from './test/quick-sentences.ts';
import { speedUpVisibilityChecks } from './test/quick-styles.ts';

/** Happy DOM has no layout, so every observed element intersects. */
class EverythingInView extends IntersectionObserver {
  readonly callbackl: (entries: IntersectionObserverEntry[]) => void;
  constructor(callback: IntersectionObserverCallback) {
    super(callback);
    this.callbackl = (entries) => callback(entries, this);
  }
  override observe(target: Element): void {
    const area = target.getBoundingClientRect();
    const place = { boundingClientRect: area, intersectionRect: area, rootBounds: null };
    this.callbackl([{ target, isIntersecting: true, intersectionRatio: 1, time: 0, ...place }]);
  }
}
vi.stubGlobal('IntersectionObserver', EverythingInView);

// `findBy…` and `waitFor` must not time out on a busy machine.
configure({ asyncUtilTimeout: 60_000 });

// Printing the DOM is slow: do it for the final error only, not for each retry.
const { getElementError } = getConfig();
configure({
  getElementError: (message, container) =>
    message && Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics')
      ? new Error(message)
      : getElementError(message, container),
});

speedUpVisibilityChecks();

// React captures a stack for each created element until it has this many in a second, a tenth of the rendering time.
// Pretend that it has: its warnings name the component without them, too.
const ENOUGH_STACKS = 10_000;
Object.defineProperty(
  Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'),
  'recentlyCreatedOwnerStacks',
  {
    get: () => ENOUGH_STACKS,
    set: () => {},
  },
);

await startLanguage('en');
// `startLanguage` falls back to another language if the file is slow to load.
await changeLanguage('en');
await loadAdminSentences();
await loadNoticeSentences();
speedUpSentences();

afterEach(() => {
  cleanup();
  // Tests share the stores, but no open overlays and no cached answers.
  useOverlays.setState({ open: {} });
  queryClient.clear();
});

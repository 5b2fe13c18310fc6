import { type ReactNode, Suspense, useState } from 'react';
import { loadNoticeSentences } from '../../i18n.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { usePushFlag } from '../../state/push-flag.ts';

const Notices = lazyPart(async () => {
  const [part] = await Promise.all([import('./notices.tsx'), loadNoticeSentences()]);
  return part.Notices;
});

/** On every page; its code is loaded only if notifications are on in this browser. */
export function NoticesHost(): ReactNode {
  const isOn = usePushFlag(({ on }) => on);
  const [isLoaded, setIsLoaded] = useState(false);
  // It stays loaded, to unsubscribe the last character.
  if (isOn && !isLoaded) setIsLoaded(true);
  return isLoaded ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}

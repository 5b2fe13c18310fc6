import { type ReactNode, Suspense, useState } from 'react';
import { loadNoticeSentences } from '../../i18n.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { usePushFlag } from '../../state/push-flag.ts';

const Notices = lazyPart(async () => {
  const [part] = await Promise.all([import('./notices.tsx'), loadNoticeSentences()]);
  return part.Notices;
});

/** On every page, fetched only where somebody is told of something in this browser. */
export function NoticesHost(): ReactNode {
  const isOn = usePushFlag(({ on }) => on);
  const [isHere, setIsHere] = useState(false);
  // Once here it stays: it has to take leave of the last one.
  if (isOn && !isHere) setIsHere(true);
  return isHere ? (
    <Suspense>
      <Notices />
    </Suspense>
  ) : null;
}

import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useOwnWaits } from '../../state/own-claims.ts';

const Offers = lazyPart(async () => (await import('./offers.tsx')).Offers);

/** On every page: fetched as soon as somebody here waits, so that it is there when the hours come free. */
export function OffersHost(): ReactNode {
  const own = useOwnWaits();
  const [isHere, setIsHere] = useState(false);
  // Once here it stays: it has to say what became of the last one.
  if (own.length > 0 && !isHere) setIsHere(true);
  return isHere ? (
    <Suspense>
      <Offers own={own} />
    </Suspense>
  ) : null;
}

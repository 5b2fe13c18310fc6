import { type ReactNode, Suspense, useState } from 'react';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { useOwnTransfers, useOwnWaits } from '../../state/own-claims.ts';

const Offers = lazyPart(async () => (await import('./offers.tsx')).Offers);

/** On every page: loads the offers' code once a character here is on a waitlist, or is offered a claim. */
export function OffersHost(): ReactNode {
  const own = useOwnWaits();
  const transfers = useOwnTransfers();
  const [isHere, setIsHere] = useState(false);
  // It stays mounted to report how the last offer ended.
  if (own.length + transfers.length > 0 && !isHere) setIsHere(true);
  return isHere ? (
    <Suspense>
      <Offers own={own} transfers={transfers} />
    </Suspense>
  ) : null;
}

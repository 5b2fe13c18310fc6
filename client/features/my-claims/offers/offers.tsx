import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { setUrgentTitle } from '../../../lib/page-title.ts';
import { useBoard } from '../../../state/board-store.ts';
import { useMinutesLeft } from '../../../state/minutes-left.ts';
import type { OwnWait } from '../../../state/own-waits.ts';
import { playSound, useSound } from '../../../state/sound.ts';
import { OfferBanner } from './offer-banner.tsx';
import { type Offer, useOffers } from './use-offers.ts';

/** Hours that are held for somebody here: said across the page, in the browser's tab, and aloud if that was wanted. */
export function Offers({ own }: { own: readonly OwnWait[] }): ReactNode {
  const offers = useOffers(own);
  const [first] = offers;
  return (
    <>
      {own.length > 0 ? <OfferSound offers={offers} /> : null}
      {first ? <TabTitle first={first} count={offers.length} /> : null}
      <OfferBanner offers={offers} />
    </>
  );
}

/** Each offer is heard once. It is got ready while somebody waits: a browser wants a press before. */
function OfferSound({ offers }: { offers: readonly Offer[] }): null {
  useSound();
  const heard = useRef(new Set<number>());
  useEffect(() => {
    const fresh = offers.filter(({ wait }) => !heard.current.has(wait.id));
    for (const { wait } of fresh) heard.current.add(wait.id);
    if (fresh.length > 0) playSound();
  }, [offers]);
  return null;
}

function TabTitle({ first: { wait }, count }: { first: Offer; count: number }): null {
  const { t } = useTranslation();
  const spot = useBoard((board) => board.byKind.respawn.get(wait.respawn_id)?.name ?? '');
  const minutes = useMinutesLeft(wait.held_until);
  const title = count > 1 ? t('offer.tabSeveral', { number: count, minutes }) : t('offer.tab', { spot, minutes });
  useEffect(() => setUrgentTitle(title), [title]);
  useEffect(() => () => setUrgentTitle(null), []);
  return null;
}

import { type ReactNode, useRef } from 'react';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { MEDIA } from '../../../ui/media.ts';
import { ChosenHours, ChosenLabel, useHoursLabel } from './chosen-hours.tsx';
import { boxOf } from './hours-box.ts';
import { PlacePopover } from './place-popover.tsx';
import { PlaceSheet } from './place-sheet.tsx';
import { type Placing, usePlacing } from './placing.ts';
import { usePlacedClaim } from './use-placed-claim.ts';

/** A finger covers what it presses: it gets a sheet at the bottom instead of a box beside it. */

/** The claim that is being put together on the board: its hours where they are chosen, and what is asked about it. One for all. */
export function PlaceHost(): ReactNode {
  const placing = usePlacing((state) => state.placing);
  return placing ? <Place key={placing.id} placing={placing} /> : null;
}

function Place({ placing }: { placing: Placing }): ReactNode {
  const { respawn_id, date, phase, anchor } = placing;
  const claim = usePlacedClaim(placing);
  const labelOf = useHoursLabel();
  const chosen = useRef<HTMLDivElement>(null);
  const isCoarse = useMediaQuery(MEDIA.touch);
  const { hours } = claim;
  // The card may have been drawn anew meanwhile.
  const own = anchor.closest<HTMLElement>('[data-hours-of]');
  const box = own?.isConnected ? own : boxOf(respawn_id);
  const isPainted = box !== null && hours !== null;
  const Asking = isCoarse ? PlaceSheet : PlacePopover;
  return (
    <>
      {isPainted ? <ChosenHours box={box} hours={hours} ref={chosen} /> : null}
      {phase === 'drawing' ? (
        hours ? (
          <ChosenLabel anchor={chosen} text={labelOf(date, hours)} />
        ) : null
      ) : (
        <Asking placing={placing} claim={claim} at={() => (isPainted ? chosen.current : null) ?? (anchor.isConnected ? anchor : box)} />
      )}
    </>
  );
}

import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { Boundary } from '../../../ui/boundary.tsx';
import { SayMissing } from '../../../ui/part-missing.tsx';
import { stopPlacing, usePlacing } from './placing.ts';

const PlaceHost = lazyPart(async () => (await import('./place-host.tsx')).PlaceHost);

/** One place for all cards and rows; what is shown in it is fetched when somebody first chooses hours. */
export function ClaimInPlace(): ReactNode {
  const isPlacing = usePlacing(({ placing }) => placing !== null);
  if (!isPlacing) return null;
  return (
    <Boundary instead={() => <SayMissing onSaid={stopPlacing} />}>
      <Suspense>
        <PlaceHost />
      </Suspense>
    </Boundary>
  );
}

import { type ReactNode, Suspense, useEffect } from 'react';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { stopAskingToWait, useAskedWait } from '../../../state/asked-wait.ts';
import { Boundary } from '../../../ui/boundary.tsx';
import { SayMissing } from '../../../ui/part-missing.tsx';

const WaitHost = lazyPart(async () => (await import('./wait-host.tsx')).WaitHost);

/** One place for all cards and rows; what is shown in it is fetched when somebody first asks to wait. */
export function WaitInPlace(): ReactNode {
  const asked = useAskedWait((state) => state.asked);
  useEffect(() => stopAskingToWait, []);
  if (!asked) return null;
  return (
    <Boundary instead={() => <SayMissing onSaid={stopAskingToWait} />}>
      <Suspense>
        <WaitHost key={asked.id} asked={asked} />
      </Suspense>
    </Boundary>
  );
}

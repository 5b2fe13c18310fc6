import { type ReactNode, Suspense } from 'react';
import { claimKey } from '../../../lib/claim-order.ts';
import { lazyPart } from '../../../lib/loading/lazy-part.ts';
import { stopAskingToRelease, useAskedRelease } from '../../../state/asked-release.ts';
import { Boundary } from '../../../ui/boundary.tsx';
import { SayMissing } from '../../../ui/part-missing.tsx';

const ReleaseDialog = lazyPart(async () => (await import('./release-dialog.tsx')).ReleaseDialog);

/** On every page: what is asked before hours are given back, fetched when somebody first wants to. */
export function ReleaseHost(): ReactNode {
  const asked = useAskedRelease((state) => state.asked);
  if (!asked) return null;
  return (
    <Boundary instead={() => <SayMissing onSaid={stopAskingToRelease} />}>
      <Suspense>
        <ReleaseDialog key={claimKey(asked)} asked={asked} />
      </Suspense>
    </Boundary>
  );
}

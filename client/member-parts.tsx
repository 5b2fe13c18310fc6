import type { ReactNode } from 'react';
import { OffersHost } from './features/my-claims/offers-host.tsx';
import { OwnChangesHost } from './features/my-claims/own-changes.ts';
import { NoticesHost } from './features/notifications/notices-host.tsx';
import { BesidePage } from './features/shell/fallback-pages.tsx';
import { useLiveBoard } from './live/use-live-board.ts';
import type { Settings } from './live/use-settings.ts';
import { Boundary } from './ui/boundary.tsx';

/** Beside every page of those who may see the board: keeps it live, and tells members about their claims. */
export function MemberParts({ settings }: { settings: Settings }): ReactNode {
  useLiveBoard(settings);
  return (
    <>
      <BesidePage part="messages">
        <OffersHost />
      </BesidePage>
      <Boundary instead={() => null}>
        <OwnChangesHost />
      </Boundary>
      <Boundary instead={() => null}>
        <NoticesHost />
      </Boundary>
    </>
  );
}

import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { watchCaller } from '../../api/request.ts';
import {
  closeCallerOverlays,
  closeOverlay,
  closePageOverlays,
  type OverlayKind,
  type OverlayProps,
  useOverlays,
} from '../../state/overlays.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { PartFailedToast } from '../../ui/part-failed-toast.tsx';

interface OverlayHostProps<K extends OverlayKind> {
  kind: K;
  /** Draws it with a lazy part, whose code is fetched when the overlay first opens. `close` never closes a later overlay of this kind. */
  children: (props: OverlayProps[K], close: () => void) => ReactNode;
}

/** Draws overlays. One that crashes or cannot be fetched closes with a message; the page stays. */
export function OverlayHost<K extends OverlayKind>({
  kind,
  children,
}: OverlayHostProps<K>): ReactNode {
  const overlay = useOverlays(({ open }) => open[kind]);
  if (!overlay) return null;
  const close = (): void => closeOverlay(kind, overlay.id);
  return (
    <Boundary key={overlay.id} instead={() => <PartFailedToast onShown={close} />}>
      <Suspense>{children(overlay.props, close)}</Suspense>
    </Boundary>
  );
}

/** Closes overlays with the page that opened them, as by the browser's Back, and when the session of their caller ends. */
export function CloseLeftOverlays(): null {
  const { pathname } = useLocation();
  const lastPath = useRef(pathname);
  // Before the effects of the next page, which may open one.
  useLayoutEffect(() => {
    if (lastPath.current === pathname) return;
    lastPath.current = pathname;
    closePageOverlays();
  }, [pathname]);
  useEffect(() => watchCaller(closeCallerOverlays), []);
  return null;
}

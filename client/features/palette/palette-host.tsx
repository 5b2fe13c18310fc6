import { type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { loadAdminSentences } from '../../i18n.ts';
import { lazyPart } from '../../lib/loading/lazy-part.ts';
import { setPaletteOpen, usePaletteOpen } from '../../state/palette-open.ts';
import { useSession } from '../../state/session-store.ts';
import { Boundary } from '../../ui/boundary.tsx';
import { SayMissing } from '../../ui/part-missing.tsx';

const Palette = lazyPart(async () => {
  // Without them, the tabs of the dashboard are not offered.
  const sentences = useSession.getState().admin ? loadAdminSentences().catch(() => {}) : null;
  const [{ Palette }] = await Promise.all([import('./palette.tsx'), sentences]);
  return Palette;
});

const close = (): void => setPaletteOpen(false);

/** Opens the palette with Ctrl+K, on a Mac with Cmd+K, wherever the focus is; the same again closes it. It is fetched when it first opens. */
export function PaletteHost(): ReactNode {
  const open = usePaletteOpen((state) => state.open);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || event.ctrlKey === event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    // Another dialog asks something: it comes first.
    if (open || !document.querySelector('[role="dialog"], [role="alertdialog"]')) setPaletteOpen(!open);
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => onKey(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  if (!open) return null;
  return (
    <Boundary instead={() => <SayMissing onSaid={close} />}>
      <Suspense>
        <Palette onClose={close} />
      </Suspense>
    </Boundary>
  );
}

import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { closeOldOffers } from './close-notices.ts';
import { lookAfter, takeLeave } from './device.ts';
import { useWords } from './use-words.ts';

/**
 * Goes where a notice that was pressed leads, takes away those of offers that are over, and looks after who is told in this
 * browser. It shows nothing.
 */
export function Notices(): null {
  const navigate = useNavigate();
  const { status, profiles } = useSession();
  const words = useWords();
  const hear = useEffectEvent(({ data, ports }: MessageEvent<unknown>): void => {
    const address = addressIn(data);
    if (address === null) return;
    ports[0]?.postMessage('gone there');
    void navigate(address);
  });
  useEffect(() => {
    const worker = navigator.serviceWorker;
    const listen = (message: MessageEvent<unknown>): void => hear(message);
    worker?.addEventListener('message', listen);
    return () => worker?.removeEventListener('message', listen);
  }, []);
  // A server that is away, or a browser that refuses: the next start tries again.
  const look = useEffectEvent(() => void lookAfter(profiles, words).catch(() => {}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: they are the reasons to look
  useEffect(() => {
    if (status === 'ready') look();
  }, [status, profiles, words.language]);
  const isOffline = useBoard((board) => board.connection === 'offline');
  useEffect(() => {
    if (!isOffline) void takeLeave().catch(() => {});
  }, [isOffline]);
  // Only who hears of each change knows that an offer is over.
  const waits = useBoard(({ status: loaded, connection, byKind }) => (loaded === 'ready' && connection === 'live' ? byKind.wait : null));
  useEffect(() => {
    if (waits) void closeOldOffers(waits).catch(() => {});
  }, [waits]);
  return null;
}

/** What the service worker asks for, as offline/service-worker.ts says it. */
function addressIn(data: unknown): string | null {
  if (typeof data !== 'object' || data === null || !('kind' in data) || data.kind !== 'open' || !('address' in data)) return null;
  return typeof data.address === 'string' && /^\/(?!\/)/.test(data.address) ? data.address : null;
}

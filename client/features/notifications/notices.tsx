import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Wait } from '../../../shared/schemas/wait.ts';
import { useBoard } from '../../state/board-store.ts';
import { useSession } from '../../state/session-store.ts';
import { maintainSubscription, unsubscribeLeft, useWords } from './device.ts';

/** Opens the page of a pressed notification, closes those of expired offers, and maintains the subscription. Renders nothing. */
export function Notices(): null {
  const navigate = useNavigate();
  const { status, profiles } = useSession();
  const words = useWords();
  const onMessage = useEffectEvent(({ data, ports }: MessageEvent<unknown>): void => {
    const address = addressIn(data);
    if (address === null) return;
    ports[0]?.postMessage('gone there');
    void navigate(address);
  });
  useEffect(() => {
    const worker = navigator.serviceWorker;
    const listen = (message: MessageEvent<unknown>): void => onMessage(message);
    worker?.addEventListener('message', listen);
    return () => worker?.removeEventListener('message', listen);
  }, []);
  // After a failure the next start tries again.
  const maintain = useEffectEvent(() => void maintainSubscription(profiles, words).catch(() => {}));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the subscription depends on them
  useEffect(() => {
    if (status === 'ready') maintain();
  }, [status, profiles, words.language]);
  const isOffline = useBoard((board) => board.connection === 'offline');
  useEffect(() => {
    if (!isOffline) void unsubscribeLeft().catch(() => {});
  }, [isOffline]);
  // Only a live board knows that an offer has expired.
  const waits = useBoard(({ status: loaded, connection, byKind }) =>
    loaded === 'ready' && connection === 'live' ? byKind.wait : null,
  );
  useEffect(() => {
    if (waits) void closeExpiredOffers(waits).catch(() => {});
  }, [waits]);
  return null;
}

/** The address in a message of offline/service-worker.ts. */
function addressIn(data: unknown): string | null {
  if (
    typeof data !== 'object' ||
    data === null ||
    !('kind' in data) ||
    data.kind !== 'open' ||
    !('address' in data)
  )
    return null;
  return typeof data.address === 'string' && /^\/(?!\/)/.test(data.address) ? data.address : null;
}

/** The tag that the server gives the notification of an offer. */
const HOLD = /^hold-(\d+)$/;

/** Closes this browser's notifications of offers that were answered or expired. */
async function closeExpiredOffers(waits: { get: (id: number) => Wait | undefined }): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notice of (await registration?.getNotifications()) ?? []) {
    const id = HOLD.exec(notice.tag)?.[1];
    if (id !== undefined && waits.get(Number(id))?.status !== 'offered') notice.close();
  }
}

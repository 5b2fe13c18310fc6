import type { Wait } from '../../../shared/schemas/wait.ts';

/** The tag of the notice of an offer, as the server makes it. */
const HOLD = /^hold-(\d+)$/;

/** Takes away what this browser still shows of offers that were answered, or whose time is over: a press on it would lead to nothing. */
export async function closeOldOffers(waits: { get: (id: number) => Wait | undefined }): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const notice of (await registration?.getNotifications()) ?? []) {
    const id = HOLD.exec(notice.tag)?.[1];
    if (id !== undefined && waits.get(Number(id))?.status !== 'offered') notice.close();
  }
}

/** Registers after the page has loaded, so as not to delay its files. No-op where unsupported, as on plain http. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const register = async (): Promise<void> => {
    try {
      await navigator.serviceWorker.register('/service-worker.js');
    } catch {
      // Where storage is blocked, looking at it throws, too.
    }
  };
  if (document.readyState === 'complete') void register();
  else addEventListener('load', () => void register());
}

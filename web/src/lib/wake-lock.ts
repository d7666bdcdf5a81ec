/** Keeps the screen on until the returned function is called. The system releases the lock while the page is hidden. */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let over = false;
  const take = async (): Promise<void> => {
    if (over || document.visibilityState !== 'visible') return;
    // `wakeLock` is missing on http and in older browsers.
    lock = (await navigator.wakeLock?.request('screen').catch(() => null)) ?? null;
    if (over) void lock?.release();
  };
  const retake = (): void => void take();
  document.addEventListener('visibilitychange', retake);
  void take();
  return () => {
    over = true;
    document.removeEventListener('visibilitychange', retake);
    void lock?.release();
  };
}

/** Messengers, mail, AirDrop; false where the sheet was closed without a choice. Throws what else the browser says. */
export async function openShareSheet(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
}

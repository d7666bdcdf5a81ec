/** Opens the share sheet (messengers, mail, AirDrop). False if it was closed without a choice; throws the browser's other errors. */
export async function openShareSheet(what: ShareData): Promise<boolean> {
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return false;
    throw error;
  }
}

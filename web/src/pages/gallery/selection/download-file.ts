/** Has the browser fetch a file of this site by itself, past the page's memory; the page stays. */
export function downloadFile(path: string): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = '';
  link.click();
}

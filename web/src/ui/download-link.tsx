import type { ComponentProps, MouseEvent } from 'react';
import { askForFile } from '../api/ask-for-file.ts';
import { ApiError, call, goToLogin, isRefusal } from '../api/client.ts';

/** Has the browser itself fetch and save a file, without the page's memory. The answer's file name comes before `name`; the page stays. */
export function downloadFile(path: string, name = ''): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  link.click();
}

/** Saves content of the page as a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  downloadFile(address, name);
  // Phones read the bytes some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS);
}
const REVOKE_MS = 60_000;

/** Tells whether the host is still logged in; if not, navigates to the login. True if the server does not answer. */
export async function checkSession(): Promise<boolean> {
  const session = await call('GET /auth/check').catch(() => null);
  if (session === null || (session.authenticated && session.role === 'user')) return true;
  goToLogin();
  return false;
}

interface DownloadLinkProps extends ComponentProps<'a'> {
  href: string;
  /**
   * Receives the server's refusal, or null, before the file is saved. `isGiven`: the server has answered that it hands the file out.
   * Without this function, the link is for hosts.
   */
  onAnswer?(this: void, refusal: ApiError | null, isGiven: boolean): void;
}

/** A link to a file. It asks the server first, because a browser would save a refusal as if it were the file. */
export function DownloadLink({ href, onAnswer, children, ...rest }: DownloadLinkProps) {
  async function isHandedOut(): Promise<boolean> {
    if (!onAnswer) return checkSession();
    const answer = await askForFile(href);
    if (isRefusal(answer, 'login_required') && goToLogin()) return false;
    const refusal = answer instanceof ApiError ? answer : null;
    onAnswer(refusal, answer !== null && !refusal);
    return !refusal;
  }
  async function start(event: MouseEvent): Promise<void> {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (await isHandedOut()) downloadFile(href);
  }
  return (
    <a href={href} download {...rest} onClick={(event) => void start(event)}>
      {children}
    </a>
  );
}

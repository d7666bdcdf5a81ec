import type { ComponentProps, MouseEvent } from 'react';
import { call, goToLogin, inTime, isRefusal, refusalOf, type ApiError } from '../api/client.ts';

/** Limit of the question whether a file is available. */
const ANSWER_MS = 10_000;

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

/** Asks whether the server hands out a file: null, or its refusal; undefined if it does not answer. */
export async function askForFile(path: string): Promise<ApiError | null | undefined> {
  const ask = (method: 'HEAD' | 'GET') => inTime(ANSWER_MS, (signal) => fetch(path, { method, signal })).catch(() => null);
  const head = await ask('HEAD');
  if (!head) return undefined;
  if (head.ok) return null;
  // Only a body says why; a proxy may refuse HEAD alone.
  const answer = await ask('GET');
  if (!answer?.ok) return refusalOf(answer ?? head);
  await answer.body?.cancel();
  return null;
}

interface DownloadLinkProps extends ComponentProps<'a'> {
  href: string;
  /** Receives what `askForFile` returns before the file is saved. Without it, the link is for hosts. */
  onAnswer?(this: void, refusal: ApiError | null | undefined): void;
}

/** A link to a file. It asks the server first, because a browser would save a refusal as if it were the file. */
export function DownloadLink({ href, onAnswer, children, ...rest }: DownloadLinkProps) {
  async function isHandedOut(): Promise<boolean> {
    if (!onAnswer) return checkSession();
    const refusal = await askForFile(href);
    if (isRefusal(refusal, 'login_required') && goToLogin()) return false;
    onAnswer(refusal);
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

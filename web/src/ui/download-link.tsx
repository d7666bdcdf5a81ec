import type { ComponentProps, MouseEvent } from 'react';
import { call, goToLogin, inTime } from '../api/client.ts';

/** A server that is there answers within this time. */
const ANSWER_MS = 10_000;

/** Has the browser fetch a file by itself, past the page's memory, and save it, under the name that its answer says or `name`; the page stays. */
export function downloadFile(path: string, name = ''): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  link.click();
}

/** Saves what the page has as a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  downloadFile(address, name);
  // Phones read the bytes some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), REVOKE_MS);
}
const REVOKE_MS = 60_000;

/** Whether the host is still logged in; where not, it leads to the login. True where the server does not answer. */
export async function checkSession(): Promise<boolean> {
  const session = await call('GET /auth/check').catch(() => null);
  if (session === null || (session.authenticated && session.role === 'user')) return true;
  goToLogin();
  return false;
}

/** The same of others than a host, of a file: where it is not to be had, nothing is saved. */
export async function checkFile(path: string): Promise<boolean> {
  return inTime(ANSWER_MS, (signal) => fetch(path, { method: 'HEAD', signal })).then(
    ({ ok }) => ok,
    () => true,
  );
}

interface DownloadLinkProps extends ComponentProps<'a'> {
  href: string;
  /** Whether the file may be had. */
  check?(path: string): Promise<boolean>;
}

/** A link to a file. It asks first: a browser would save the refusal as if it were the file. */
export function DownloadLink({ href, check = checkSession, children, ...rest }: DownloadLinkProps) {
  async function start(event: MouseEvent): Promise<void> {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (await check(href)) downloadFile(href);
  }
  return (
    <a href={href} download {...rest} onClick={(event) => void start(event)}>
      {children}
    </a>
  );
}

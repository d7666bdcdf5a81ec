import type { ComponentProps, MouseEvent } from 'react';
import { call, goToLogin } from '../api/client.ts';

/** Has the browser fetch a file by itself, past the page's memory, and save it, under the name that its answer says or `name`; the page stays. */
export function downloadFile(path: string, name = ''): void {
  const link = document.createElement('a');
  link.href = path;
  link.download = name;
  link.click();
}

/** Whether the host is still logged in; where not, it leads to the login. True where the server does not answer. */
export async function checkSession(): Promise<boolean> {
  const session = await call('GET /auth/check').catch(() => null);
  if (session === null || (session.authenticated && session.role === 'user')) return true;
  goToLogin();
  return false;
}

/** A link to a file of the host's. It asks for the session first: a browser would save the refusal as if it were the file. */
export function DownloadLink({ href, children, ...rest }: ComponentProps<'a'> & { href: string }) {
  async function start(event: MouseEvent): Promise<void> {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (await checkSession()) downloadFile(href);
  }
  return (
    <a href={href} download {...rest} onClick={(event) => void start(event)}>
      {children}
    </a>
  );
}

import type { ReactNode } from 'react';
import { isRefusal } from '../api/client.ts';
import { cookieTexts } from '../texts/guest/cookies.ts';
import { shell } from '../texts/guest/shell.ts';
import { Button } from './button.tsx';
import { MessagePage } from './message-page.tsx';

/** Whether the server does not know a visitor because the browser keeps no cookie, and not because a link is wrong. */
export const isWithoutCookie = (error: unknown): boolean =>
  // Drawn by the server, a page has no such browser.
  navigator.cookieEnabled === false && isRefusal(error, 'invalid_credentials', 'login_required');

/** In place of a page whose link would open it, if the browser kept the session. */
export function CookiesBlocked({ children }: { children?: ReactNode }) {
  return (
    <MessagePage title={cookieTexts.title} actions={<Button onClick={() => window.location.reload()}>{shell.reload}</Button>}>
      {children}
      <p>{cookieTexts.text}</p>
    </MessagePage>
  );
}

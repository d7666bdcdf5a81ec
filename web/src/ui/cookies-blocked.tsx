import type { ReactNode } from 'react';
import { isRefusal } from '../api/client.ts';
import { cookieTexts } from '../texts/guest/cookies.ts';
import { shell } from '../texts/guest/shell.ts';
import { Button } from './button.tsx';
import { MessagePage } from './message-page.tsx';

/** Tells whether the server does not know a visitor because the browser keeps no cookie, and not because a link is wrong. */
export const isWithoutCookie = (error: unknown): boolean =>
  // On the server, `cookieEnabled` is undefined.
  navigator.cookieEnabled === false && isRefusal(error, 'invalid_credentials', 'login_required');

/** Stands in place of a page whose link would open it if the browser kept the session. */
export function CookiesBlocked({ children }: { children?: ReactNode }) {
  return (
    <MessagePage title={cookieTexts.title} actions={<Button onClick={() => window.location.reload()}>{shell.reload}</Button>}>
      {children}
      <p>{cookieTexts.text}</p>
    </MessagePage>
  );
}

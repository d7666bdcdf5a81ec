import { cleanEventCode } from '@feierbild/contract/event-code.ts';

/** A path of this site, or null: nothing that a browser would take for another address. */
function ownPath(redirect: string): string | null {
  if (!/^\/(?![/\\])/.test(redirect) || /[\\\p{Cc}]/u.test(redirect)) return null;
  return redirect;
}

/** The code in a part of a path; empty if it is no code. */
function codeIn(part: string): string {
  try {
    return cleanEventCode(decodeURIComponent(part));
  } catch {
    return '';
  }
}

/** A host's page after a fresh login: the way back if it is the host's own event, else the dashboard. */
export function afterHostLogin(redirect: string, code: string): string {
  const dashboard = `/manage/${code}`;
  const path = ownPath(redirect);
  const named = path && /^\/(manage|gallery|slideshow|event|freigabe|galerie)\/([^/?#]+)/.exec(path);
  return named && codeIn(named[2] ?? '') === code ? (path as string) : dashboard;
}

/** An admin's page after a fresh login: the way back if it is an admin page, else the table. */
export function afterAdminLogin(redirect: string): string {
  const path = ownPath(redirect);
  return path && /^\/admin(\/|\?|$)/.test(path) && !path.startsWith('/admin/login') ? path : '/admin';
}

import { cleanEventCode } from '@feierbild/contract/event-code.ts';

/** Returns `redirect` if it is a path of this site, else null: a browser takes `//host` and `/\host` for another site. */
function ownPath(redirect: string): string | null {
  if (!/^\/(?![/\\])/.test(redirect) || /[\\\p{Cc}]/u.test(redirect)) return null;
  return redirect;
}

/** Reads the event code in a part of a path; empty if its encoding is malformed. */
function codeIn(part: string): string {
  try {
    return cleanEventCode(decodeURIComponent(part));
  } catch {
    return '';
  }
}

/** Returns a host's page after the login: `redirect` if it belongs to the host's own event, else the dashboard. */
export function afterHostLogin(redirect: string, code: string): string {
  const dashboard = `/manage/${code}`;
  const path = ownPath(redirect);
  const named = path && /^\/(manage|gallery|slideshow|event|freigabe|galerie)\/([^/?#]+)/.exec(path);
  return named && codeIn(named[2] ?? '') === code ? (path as string) : dashboard;
}

/** Returns an admin's page after the login: `redirect` if it is an admin page, else the table of events. */
export function afterAdminLogin(redirect: string): string {
  const path = ownPath(redirect);
  return path && /^\/admin(\/|\?|$)/.test(path) && !path.startsWith('/admin/login') ? path : '/admin';
}

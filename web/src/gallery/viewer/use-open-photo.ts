import { useCallback, useEffect, useRef, useState } from 'react';
import { queryParameter } from '../../lib/query.ts';

/** Time on one photo after which the address follows: WebKit refuses more than 100 changes of the address in 10 s. */
const REST_MS = 300;

const fromAddress = (): string | null => queryParameter('foto') || null;

/** Keeps the id of the open photo as `?foto={id}`: Back closes the photo, and the gallery keeps its place. */
export function useOpenPhoto(): [string | null, (id: string | null) => void] {
  const [open, setOpen] = useState(fromAddress);
  const timer = useRef(0);
  useEffect(() => {
    const follow = (): void => {
      clearTimeout(timer.current);
      setOpen(fromAddress());
    };
    window.addEventListener('popstate', follow);
    return () => {
      clearTimeout(timer.current);
      window.removeEventListener('popstate', follow);
    };
  }, []);
  const show = useCallback((id: string | null): void => {
    clearTimeout(timer.current);
    if (id !== null && fromAddress() !== null) timer.current = window.setTimeout(write, REST_MS, id);
    else write(id);
    setOpen(id);
  }, []);
  return [open, show];
}

function write(id: string | null): void {
  const { pathname } = window.location;
  const { history } = window;
  const was = fromAddress();
  try {
    if (id === null && was !== null && (history.state as { photo?: boolean } | null)?.photo) history.back();
    else if (id === null) history.replaceState(null, '', pathname);
    else if (was === null) history.pushState({ photo: true }, '', `${pathname}?foto=${id}`);
    else history.replaceState(history.state, '', `${pathname}?foto=${id}`);
  } catch {
    // The browser refuses too many changes; only the address is outdated then.
  }
}

import { useCallback, useEffect, useState } from 'react';

const fromAddress = (): string | null => new URLSearchParams(window.location.search).get('foto');

/** Which photo is open, kept as `?foto={id}`: going back closes it, and the gallery keeps its place. */
export function useOpenPhoto(): [string | null, (id: string | null) => void] {
  const [open, setOpen] = useState(fromAddress);
  useEffect(() => {
    const follow = (): void => setOpen(fromAddress());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const show = useCallback((id: string | null): void => {
    const { pathname } = window.location;
    const was = fromAddress();
    const state = window.history.state as { photo?: boolean } | null;
    if (id === null && was !== null && state?.photo) window.history.back();
    else if (id === null) window.history.replaceState(null, '', pathname);
    else if (was === null) window.history.pushState({ photo: true }, '', `${pathname}?foto=${id}`);
    else window.history.replaceState(window.history.state, '', `${pathname}?foto=${id}`);
    setOpen(id);
  }, []);
  return [open, show];
}

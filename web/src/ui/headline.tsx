import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { setTitle } from '../lib/title.ts';

/** The path whose headline was there last. */
let arrived: string | null = null;

interface HeadlineProps {
  className?: string | undefined;
  /** For a name that a person gave. */
  translate?: 'no';
  children: ReactNode;
}

/** A page's headline, which is the window's title too, and has the focus when somebody comes from another page. */
export function Headline({ className, translate, children }: HeadlineProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => setTitle({ headline: element.current?.textContent ?? null }));
  useLayoutEffect(() => () => setTitle({ headline: null }), []);
  useEffect(() => {
    // Not on the first page: there the skip link comes first, and the visitor may have scrolled already.
    const { pathname } = window.location;
    if (arrived !== null && arrived !== pathname) element.current?.focus({ preventScroll: true });
    arrived = pathname;
  });
  return (
    <h1 ref={element} className={className} translate={translate} tabIndex={-1}>
      {children}
    </h1>
  );
}

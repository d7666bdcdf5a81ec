import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react';
import { setTitle } from '../lib/title.ts';

/** The path of the last page that showed a headline. */
let arrived: string | null = null;

interface HeadlineProps {
  className?: string | undefined;
  /** `no` for a name that a person gave. */
  translate?: 'no';
  children: ReactNode;
}

/** A page's headline. It is also the window's title, and gets the focus when somebody comes from another page. */
export function Headline({ className, translate, children }: HeadlineProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => setTitle({ headline: element.current?.textContent ?? null }));
  useLayoutEffect(() => () => setTitle({ headline: null }), []);
  useEffect(() => {
    // The first page's headline gets no focus: the skip link comes first there, and the visitor may have scrolled already.
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

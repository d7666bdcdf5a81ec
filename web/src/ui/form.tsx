import { useEffect, useLayoutEffect, useRef, useState, type ComponentProps } from 'react';

/**
 * A form on a page that the server draws. Before the page's code has loaded it sends nothing (an address must not contain a
 * password); a form that was submitted by then (start.ts marks it) is submitted once, when the code has loaded.
 */
export function Form(props: ComponentProps<'form'>) {
  const form = useRef<HTMLFormElement>(null);
  const [early, setEarly] = useState(false);
  useLayoutEffect(() => {
    const { dataset } = form.current as HTMLFormElement;
    dataset.live = '';
    if (dataset.early !== undefined) setEarly(true);
  }, []);
  // One rendering later, because only then have the fields taken over the typed text.
  useEffect(() => {
    // Replaces requestSubmit, which Safari lacks before version 16.
    if (early && form.current?.reportValidity()) form.current.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  }, [early]);
  return <form method="dialog" ref={form} {...props} />;
}

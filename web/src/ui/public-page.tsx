import { ArrowRight, Menu, X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { useSite } from '../lib/use-site.ts';
import { header } from '../texts.ts';
import { ButtonLink } from './button.tsx';
import { Headline } from './headline.tsx';
import { PageShell } from './page-shell.tsx';
import prose from './prose.module.css';
import styles from './public-page.module.css';

interface PublicPageProps {
  /** The headline of a page of text; without it, the page is as wide as the window and has its own headline. */
  title?: string;
  /** Content above the headline. */
  back?: ReactNode;
  /** Shows in the footer how to reach the operator. */
  contact?: boolean;
  children: ReactNode;
}

/** Pages for everybody, with the shared header: buttons on wide screens, a sheet from the top on phones. */
export function PublicPage({ title, back, contact = false, children }: PublicPageProps) {
  return (
    <PageShell width={title ? 'reading' : 'full'} actions={<Navigation />} aboveFooter={contact && <BusinessCard short />}>
      {title ? (
        <div className={prose.prose}>
          {back}
          <Headline>{title}</Headline>
          {children}
        </div>
      ) : (
        children
      )}
    </PageShell>
  );
}

/** The operator's contact data; `short` in a page's footer. */
export function BusinessCard({ short = false }: { short?: boolean }) {
  const { identity, contact } = useSite().business;
  const place = `${identity.zip} ${identity.city}`;
  return (
    <address className={short ? styles.contact : prose.contact}>
      <strong>{identity.brand}</strong>
      {(short ? [`${identity.street}, ${place}`] : [identity.owner, identity.street, place]).map((line) => (
        <span key={line}>{line}</span>
      ))}
      {contact.phone && <a href={`tel:${contact.phone.e164}`}>{contact.phone.shown}</a>}
      <a href={`mailto:${contact.email}`}>{contact.email}</a>
      {!short && contact.hours && <span>{contact.hours}</span>}
    </address>
  );
}

function Navigation() {
  const [open, setOpen] = useState(false);
  const nav = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  // The current page has no link to itself.
  const close = (): void => setOpen(false);

  useEffect(() => {
    if (!open) return;
    // The page behind the sheet must not be reachable.
    const behind = document.querySelectorAll('main, footer');
    for (const part of behind) part.toggleAttribute('inert', true);
    document.documentElement.classList.add(styles.still as string);
    // A phone that is turned may be wide enough for the buttons.
    const wide = window.matchMedia('(min-width: 640px)');
    wide.addEventListener('change', close);
    return () => {
      for (const part of behind) part.toggleAttribute('inert', false);
      document.documentElement.classList.remove(styles.still as string);
      wide.removeEventListener('change', close);
    };
  }, [open]);

  function onKeyDown(event: KeyboardEvent): void {
    if (!open) return;
    if (event.key === 'Escape') {
      close();
      toggle.current?.focus();
    }
    if (event.key !== 'Tab') return;
    const stops = [toggle.current, ...(nav.current?.querySelectorAll<HTMLElement>('#menue a') ?? [])];
    const end = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== end) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys of what is in it
    <nav ref={nav} aria-label="Hauptmenü" onKeyDown={onKeyDown}>
      <div className={styles.wide}>
        <ButtonLink href="/manage" look="quiet">
          {header.manage}
        </ButtonLink>
        <ButtonLink href="/create" look="secondary">
          {header.request}
        </ButtonLink>
      </div>
      <button
        ref={toggle}
        type="button"
        className={`${styles.toggle} ${open ? styles.above : ''}`}
        aria-expanded={open}
        aria-controls="menue"
        onClick={() => setOpen(!open)}
      >
        {open ? <X size={24} /> : <Menu size={24} />}
        <span className="visually-hidden">{open ? 'Menü schließen' : 'Menü öffnen'}</span>
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- Escape does the same */}
      <div className={styles.backdrop} hidden={!open} aria-hidden="true" onClick={close} />
      <div id="menue" className={styles.menu} hidden={!open}>
        <a href="/manage" onClick={close}>
          {header.manage} <ArrowRight size={22} />
        </a>
        <a href="/create" onClick={close}>
          {header.mobileCreate} <ArrowRight size={22} />
        </a>
      </div>
    </nav>
  );
}

import { Menu, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useSite } from '../lib/use-site.ts';
import { header } from '../texts.ts';
import { ButtonLink } from './button.tsx';
import { PageShell } from './page-shell.tsx';
import styles from './public-page.module.css';

interface PublicPageProps {
  width?: 'reading' | 'full';
  /** Shows in the footer how to reach the operator. */
  contact?: boolean;
  children: ReactNode;
}

/** Pages for everybody, with the shared header: buttons on wide screens, a menu on phones. */
export function PublicPage({ width = 'reading', contact = false, children }: PublicPageProps) {
  return (
    <PageShell width={width} actions={<Navigation />} aboveFooter={contact && <Contact />}>
      {children}
    </PageShell>
  );
}

function Contact() {
  const { identity, contact } = useSite().business;
  return (
    <address className={styles.contact}>
      <strong>{identity.brand}</strong>
      <span>
        {identity.street}, {identity.zip} {identity.city}
      </span>
      <a href={`tel:${contact.phone.e164}`}>{contact.phone.shown}</a>
      <a href={`mailto:${contact.email}`}>{contact.email}</a>
    </address>
  );
}

function Navigation() {
  const [open, setOpen] = useState(false);
  // The current page has no link to itself.
  const close = (): void => setOpen(false);
  return (
    <nav aria-label="Hauptmenü" className={styles.nav}>
      <div className={styles.wide}>
        <ButtonLink href="/manage" look="quiet">
          {header.manage}
        </ButtonLink>
        <ButtonLink href="/create" look="secondary">
          {header.request}
        </ButtonLink>
      </div>
      <button type="button" className={styles.toggle} aria-expanded={open} aria-controls="menue" onClick={() => setOpen(!open)}>
        {open ? <X size={24} aria-hidden="true" /> : <Menu size={24} aria-hidden="true" />}
        <span className="visually-hidden">{open ? 'Menü schließen' : 'Menü öffnen'}</span>
      </button>
      <div id="menue" className={styles.menu} hidden={!open}>
        <Link href="/manage" onClick={close}>
          {header.manage}
        </Link>
        <Link href="/create" onClick={close}>
          {header.mobileCreate}
        </Link>
      </div>
    </nav>
  );
}

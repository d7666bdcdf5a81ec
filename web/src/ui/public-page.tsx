import { Menu, X } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { header } from '../texts.ts';
import { ButtonLink } from './button.tsx';
import { PageShell } from './page-shell.tsx';
import styles from './public-page.module.css';

/** Pages for everybody, with the shared header: buttons on wide screens, a menu on phones. */
export function PublicPage({ width = 'reading', children }: { width?: 'reading' | 'full'; children: ReactNode }) {
  return (
    <PageShell width={width} actions={<Navigation />}>
      {children}
    </PageShell>
  );
}

function Navigation() {
  const [open, setOpen] = useState(false);
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
        <Link href="/manage">{header.manage}</Link>
        <Link href="/create">{header.mobileCreate}</Link>
      </div>
    </nav>
  );
}

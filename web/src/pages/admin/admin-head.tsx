import { Cable, ChevronRight, Flag, Scale, ScrollText, Settings, UserRoundCog } from 'lucide-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { formatNumber } from '../../lib/format.ts';
import { setTitle } from '../../lib/title.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import styles from './admin-frame.module.css';
import { meQuery, reportsQuery } from './admin-queries.ts';
import { THIS_MONTH } from './month.ts';

/** The pages other than the events. */
const PAGES = [
  { href: '/admin/meldungen', name: 'Meldungen', Icon: Flag },
  { href: '/admin/protokoll', name: 'Protokoll', Icon: ScrollText },
  { href: '/admin/verbindungen', name: 'Verbindungen', Icon: Cable },
  { href: '/admin/datenschutz', name: 'Datenschutz', Icon: Scale },
  { href: '/admin/einstellungen', name: 'Einstellungen', Icon: Settings },
  { href: '/admin/zugang', name: 'Zugang', Icon: UserRoundCog, forAll: true },
];
const WIDE = '(min-width: 801px)';

interface AdminHeadProps {
  title: string;
  inWindow: string;
  /** Content below the title; nothing while it is unknown. */
  lead: ReactNode;
  /** The page's actions, beside the views. */
  action?: ReactNode;
}

/**
 * The head of every page of the administration: its title, the views of the events, and links to the other pages, which are in the menu
 * „Betrieb“ on a phone. Assistants have only the events and their own access.
 */
export function AdminHead({ title, inWindow, lead, action }: AdminHeadProps) {
  const isWide = useWide();
  // Replaces the title that the headline has set.
  useLayoutEffect(() => setTitle({ headline: inWindow }));
  const [path] = useLocation();
  const search = useSearch();
  const { data: me } = useQuery(meQuery);
  const isAdmin = me?.role === 'admin';
  const { data: reports } = useInfiniteQuery({ ...reportsQuery, enabled: isAdmin });
  const open = reports?.pages[0]?.open;
  const isMonth = new URLSearchParams(search).has('monat');
  const views: [name: string, href: string, isShown: boolean][] = [
    ['Liste', '/admin', path === '/admin' && !isMonth],
    ['Monat', THIS_MONTH, path === '/admin' && isMonth],
    ['Heute', '/admin/heute', path === '/admin/heute'],
  ];
  const pages = (
    <nav className={styles.pages} aria-label="Betrieb">
      {PAGES.filter(({ forAll }) => isAdmin || forAll).map(({ href, name, Icon }) => (
        <ButtonLink key={href} href={href} look="secondary" aria-current={isWithin(path, href) ? 'page' : undefined}>
          <Icon size={20} /> {name}
          {name === 'Meldungen' && open !== undefined && ` (${formatNumber(open)} offen)`}
        </ButtonLink>
      ))}
    </nav>
  );
  return (
    <>
      <div className={styles.head}>
        <div>
          <Headline>{title}</Headline>
          {lead && <p className="soft">{lead}</p>}
        </div>
        <div className={styles.first}>
          <nav className={styles.views} aria-label="Ansicht">
            {views.map(([name, href, isShown]) => (
              <a key={name} href={href} aria-current={isShown ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          {action}
        </div>
      </div>
      {isWide ? (
        pages
      ) : (
        <details className={styles.beside}>
          <summary>
            Betrieb
            {open !== undefined && open > 0 && ` (${formatNumber(open)} offen)`}
            <ChevronRight size={20} />
          </summary>
          {pages}
        </details>
      )}
    </>
  );
}

/** Tells whether a page is this one or a part of it. */
const isWithin = (path: string, href: string): boolean => path === href || path.startsWith(`${href}/`);

/** Tells whether the whole head has room. */
function useWide(): boolean {
  const [isWide, setWide] = useState(() => window.matchMedia(WIDE).matches);
  useEffect(() => {
    const wide = window.matchMedia(WIDE);
    const change = (): void => setWide(wide.matches);
    wide.addEventListener('change', change);
    return () => wide.removeEventListener('change', change);
  }, []);
  return isWide;
}

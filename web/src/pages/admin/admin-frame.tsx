import { ArrowLeft } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import styles from './admin-frame.module.css';

interface AdminFrameProps {
  title: string;
  /** Below the title; nothing while it is not known. */
  lead: ReactNode;
  width?: 'reading' | 'full';
  className: string | undefined;
  children: ReactNode;
}

/** A page of the administration beside the events. */
export function AdminFrame({ title, lead, width = 'full', className, children }: AdminFrameProps) {
  return (
    <PageShell
      footer={false}
      width={width}
      actions={
        <ButtonLink href="/admin" look="quiet">
          <ArrowLeft size={20} /> Events
        </ButtonLink>
      }
    >
      <div className={className}>
        <div>
          <Headline>{title}</Headline>
          {lead && <p className="soft">{lead}</p>}
        </div>
        {children}
      </div>
    </PageShell>
  );
}

/** A part of a page, with an address of its own. */
export interface Tab {
  path: string;
  name: string;
  lead: string;
  Content: ComponentType;
}

interface TabbedPageProps {
  title: string;
  tabs: Tab[];
  /** Links beside them, to what is near. */
  near?: [path: string, name: string][];
}

/** A page of the administration in several parts. */
export function TabbedPage({ title, tabs, near = [] }: TabbedPageProps) {
  const [path] = useLocation();
  const shown = tabs.find((tab) => tab.path === path);
  if (!shown) return null;
  return (
    <AdminFrame title={title} lead={shown.lead} className={styles.tabbed}>
      <nav aria-label={title} className={styles.tabs}>
        {[...tabs.map((tab): [string, string] => [tab.path, tab.name]), ...near].map(([href, name]) => (
          <a key={href} href={href} aria-current={href === path ? 'page' : undefined}>
            {name}
          </a>
        ))}
      </nav>
      <shown.Content key={path} />
    </AdminFrame>
  );
}

/** In place of a list without entries. */
export function Empty({ children }: { children: ReactNode }) {
  return <p className={styles.empty}>{children}</p>;
}

/** What is known of something, as names and values; null is left out. */
export function Facts({ facts, className }: { facts: [name: string, value: ReactNode][]; className?: string | undefined }) {
  return (
    <dl className={`${styles.facts} ${className ?? ''}`}>
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

import { LogOut } from 'lucide-react';
import { useQueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { Redirect, useLocation } from 'wouter';
import { call } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from './admin-frame.module.css';
import { AdminHead } from './admin-head.tsx';
import { meQuery } from './admin-queries.ts';

interface AdminFrameProps {
  title: string;
  /** The window's title; default: `title`. */
  inWindow?: string;
  /** Content below the title; nothing while it is unknown. */
  lead: ReactNode;
  /** The page's actions, beside the views. */
  action?: ReactNode;
  width?: 'reading' | 'full';
  className: string | undefined;
  children: ReactNode;
}

/** A page of the administration. */
export function AdminFrame({ title, inWindow = title, lead, action, width = 'full', className, children }: AdminFrameProps) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const { failure, run } = useAction();

  async function logout(): Promise<void> {
    const { role } = await queries.ensureQueryData(meQuery);
    await call('POST /auth/logout', { body: { role } });
    queries.clear();
    navigate('/admin/login');
  }

  return (
    <PageShell
      footer={false}
      width={width}
      actions={
        <Button look="quiet" onClick={() => void run(logout)}>
          <LogOut size={20} /> Abmelden
        </Button>
      }
    >
      <div className={className}>
        <AdminHead title={title} inWindow={inWindow} lead={lead} action={action} />
        {/* A failed logout must be shown, because the person may leave the computer. */}
        {failure && <Notice kind="error">{failure}</Notice>}
        {children}
      </div>
    </PageShell>
  );
}

/** A part of a page with an address of its own. */
export interface Tab {
  path: string;
  name: string;
  lead: string;
  Content: ComponentType;
}

interface TabbedPageProps {
  title: string;
  tabs: Tab[];
  /** Links beside the tabs, to related pages. */
  near?: [path: string, name: string][];
}

/** A page of the administration in several parts. */
export function TabbedPage({ title, tabs, near = [] }: TabbedPageProps) {
  const [path] = useLocation();
  const shown = tabs.find((tab) => tab.path === path);
  if (!shown) return <Redirect to={tabs[0]?.path ?? '/admin'} replace />;
  return (
    <AdminFrame title={title} inWindow={`${shown.name} · ${title}`} lead={shown.lead} className={styles.tabbed}>
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

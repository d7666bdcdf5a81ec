import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button.tsx';
import { Headline } from '../../ui/headline.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import styles from './facts.module.css';

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

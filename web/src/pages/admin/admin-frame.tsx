import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';

/** A page of the administration beside the events. */
export function AdminFrame({ width, children }: { width?: 'reading'; children: ReactNode }) {
  return (
    <PageShell
      footer={false}
      {...(width && { width })}
      actions={
        <ButtonLink href="/admin" look="quiet">
          <ArrowLeft size={20} /> Events
        </ButtonLink>
      }
    >
      {children}
    </PageShell>
  );
}

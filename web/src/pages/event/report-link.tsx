import { Flag } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Waiting } from '../../ui/spinner.tsx';

// Hardly anybody needs it: the form is loaded when it is opened.
const ReportForm = lazy(() => import('../../ui/report-form.tsx').then(({ ReportForm: form }) => ({ default: form })));

/** „Foto melden“ for guests who see themselves where they don't want to be. Off while an upload runs. */
export function ReportLink({ code, locked }: { code: string; locked: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button look="quiet" disabled={locked} onClick={() => setOpen(true)}>
        <Flag size={18} aria-hidden="true" /> Foto melden
      </Button>
      <Dialog open={open} title="Foto melden" onClose={() => setOpen(false)}>
        <Suspense fallback={<Waiting />}>
          <ReportForm event={code} />
        </Suspense>
      </Dialog>
    </div>
  );
}

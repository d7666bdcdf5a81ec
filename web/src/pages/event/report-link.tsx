import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReportForm } from '../../ui/report-form.tsx';

/**
 * „Foto melden“ for guests who see themselves where they don't want to be. Off while an upload runs. The form comes with the
 * page: most browsers try code that could not be loaded never again, and only a reload would help, which loses the selection.
 */
export function ReportLink({ code, locked }: { code: string; locked: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div>
      <Button look="quiet" disabled={locked} onClick={() => setOpen(true)}>
        Foto melden
      </Button>
      <Dialog open={open} title="Foto melden" onClose={() => setOpen(false)}>
        <ReportForm event={code} />
      </Dialog>
    </div>
  );
}

import { useState } from 'react';
import { t } from '../../texts/guest/guest.ts';
import { Button } from '../../ui/button.tsx';
import { useAfterPaint } from './use-after-paint.ts';

/**
 * „Foto melden“ for guests who see themselves where they don't want to be. It is off while an upload runs. If the form's code did not
 * come, it links to the form of the contact page, in another tab, because leaving this one would lose the selection.
 */
export function ReportLink({ code, locked }: { code: string; locked: boolean }) {
  const [open, setOpen] = useState(false);
  const afterPaint = useAfterPaint();
  if (!afterPaint) {
    return (
      <a href="/kontakt" target="_blank" rel="noopener">
        {t.form.report}
      </a>
    );
  }
  return (
    <div>
      <Button look="quiet" disabled={locked} onClick={() => setOpen(true)}>
        {t.form.report}
      </Button>
      {open && (
        <afterPaint.Dialog title={t.form.report} onClose={() => setOpen(false)}>
          <afterPaint.ReportForm event={code} />
        </afterPaint.Dialog>
      )}
    </div>
  );
}

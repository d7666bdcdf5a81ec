import { useState } from 'react';
import { t } from '../../texts/guest/guest.ts';
import { Button } from '../../ui/button.tsx';
import { useLater } from './use-later.ts';

/**
 * „Foto melden“ for guests who see themselves where they don't want to be. Off while an upload runs. Where the form's code did not come,
 * the contact page has one, too, in another tab: leaving this one would lose the selection.
 */
export function ReportLink({ code, locked }: { code: string; locked: boolean }) {
  const [open, setOpen] = useState(false);
  const later = useLater();
  if (!later) {
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
        <later.Dialog title={t.form.report} onClose={() => setOpen(false)}>
          <later.ReportForm event={code} />
        </later.Dialog>
      )}
    </div>
  );
}

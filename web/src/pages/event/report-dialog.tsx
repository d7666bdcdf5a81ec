import { t } from '../../texts/guest/guest.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ReportForm } from '../../ui/report-form.tsx';

/** „Foto melden“, with this event's code filled in. */
export function ReportDialog({ code, open, onClose }: { code: string; open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} title={t.form.report} onClose={onClose}>
      <ReportForm event={code} />
    </Dialog>
  );
}

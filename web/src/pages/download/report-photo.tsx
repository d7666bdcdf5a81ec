import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ReportForm } from '../../ui/report-form.tsx';
import { photoIdOf } from './save-photo.ts';

/** „Foto melden“ for who was sent a link: the report names the photo by its id, by which the operator deletes it. */
export function ReportPhoto({ url }: { url: string }) {
  const [busy, setBusy] = useState(false);
  /** What the form begins with; null while it is closed. */
  const [photo, setPhoto] = useState<string | null>(null);

  async function open(): Promise<void> {
    setBusy(true);
    // Without an answer it can be reported in words.
    const id = await photoIdOf(url);
    setPhoto(id === null ? '' : `Foto ${id}`);
    setBusy(false);
  }

  return (
    <>
      <Button look="quiet" busy={busy} onClick={() => void open()}>
        Foto melden
      </Button>
      <Dialog open={photo !== null} title="Foto melden" onClose={() => setPhoto(null)}>
        <ReportForm event="Foto aus einem Download-Link" photo={photo ?? ''} />
      </Dialog>
    </>
  );
}

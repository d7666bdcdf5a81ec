import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { Photo } from '@feierbild/contract/entities.ts';
import { Link2, MonitorOff, MonitorPlay, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { call } from '../../api/client.ts';
import { DownloadTool, PhotoViewer, Tool, type ViewerProps } from '../../gallery/viewer/photo-viewer.tsx';
import styles from '../../gallery/viewer/viewer.module.css';
import { useOrigin } from '../../lib/event-url.ts';
import { formatInstant } from '../../lib/format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useAction } from '../../ui/use-form.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { QrBox } from '../../ui/qr-box.tsx';
import { VideoDownload } from '../../video/video-download.tsx';

interface HostViewerProps extends ViewerProps {
  onToggleSlideshow(photo: Photo): void;
  onDeleted(ids: readonly string[]): void;
}

/** The full screen for the host: slideshow, link, download, delete. */
export default function HostViewer({ photos, index, onShow, onToggleSlideshow, onDeleted }: HostViewerProps) {
  const [asking, setAsking] = useState<Photo | null>(null);
  const [sharing, setSharing] = useState<Photo | null>(null);
  const photo = photos[index];
  if (!photo) return null;
  return (
    <>
      <PhotoViewer
        {...{ photos, index, onShow }}
        missing="Dieses Bild lässt sich gerade nicht zeigen. Herunterladen und löschen können Sie es trotzdem."
        covered={asking !== null || sharing !== null}
        downloadOf={(video) => <VideoDownload photo={video} />}
        tools={[
          <Tool
            key="slideshow"
            word="Slideshow"
            aria-pressed={photo.slideshow}
            aria-label="In der Slideshow"
            title={photo.slideshow ? 'In der Slideshow' : 'Nicht in der Slideshow'}
            onClick={() => onToggleSlideshow(photo)}
            icon={photo.slideshow ? <MonitorPlay /> : <MonitorOff />}
          />,
          <Tool key="link" word="Weitergeben" title="Link zum Weitergeben" onClick={() => setSharing(photo)} icon={<Link2 />} />,
          <DownloadTool key="download" photo={photo} />,
          <Tool key="delete" word="Löschen" className={styles.delete} onClick={() => setAsking(photo)} icon={<Trash2 />} />,
        ]}
      />
      {sharing && <LinkDialog photo={sharing} onClose={() => setSharing(null)} />}
      {asking && (
        <DeleteDialog
          photos={[asking]}
          onClose={() => setAsking(null)}
          onDelete={async () => {
            await call('DELETE /api/photos/:id', { params: { id: asking.id } });
            setAsking(null);
            onDeleted([asking.id]);
          }}
        />
      )}
    </>
  );
}

/** The dialog that makes a temporary link to one photo, and shows it. */
function LinkDialog({ photo: { id, video }, onClose }: { photo: Photo; onClose(): void }) {
  const kind = video ? 'Video' : 'Foto';
  const origin = useOrigin();
  const { failure, run } = useAction();
  const [link, setLink] = useState<{ download_url: string; expires_at: string } | null>(null);
  useEffect(() => void run(async () => setLink(await call('POST /api/photos/:id/link', { params: { id } }))), [run, id]);

  return (
    <Dialog title={`${kind} weitergeben`} onClose={onClose}>
      <div className={styles.linkBody}>
        {failure && <Notice kind="error">{failure}</Notice>}
        {!failure && !link && (
          <p role="status">
            <Spinner /> Der Link wird erstellt …
          </p>
        )}
        {link && <PhotoLink kind={kind} url={new URL(link.download_url, origin).href} expiresAt={link.expires_at} />}
      </div>
    </Dialog>
  );
}

/** A temporary link to one photo, as QR code for a phone nearby and to copy. */
export function PhotoLink({ kind, url, expiresAt }: { kind: 'Foto' | 'Video'; url: string; expiresAt: string }) {
  return (
    <>
      <p>
        Wer diesen Link hat, kann dieses eine {kind} bis zum {formatInstant(expiresAt)} ohne Anmeldung herunterladen, ohne den Ort der
        Aufnahme.
      </p>
      <QrBox value={url} size={QR_SIZE_SHARE} title={`QR-Code zum Download des ${kind}s`} />
      <ShareLink url={url} title={`Ein ${kind} für Sie`} />
    </>
  );
}

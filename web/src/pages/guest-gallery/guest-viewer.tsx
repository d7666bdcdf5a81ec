import type { Photo } from '@feierbild/contract/entities.ts';
import { STATE_RULES } from '@feierbild/contract/photo-states.ts';
import { Flag, Heart } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { ApiError } from '../../api/client.ts';
import { DownloadTool, PhotoViewer, Tool, type ViewerProps } from '../../gallery/viewer/photo-viewer.tsx';
import { galleryTexts } from '../../texts/guest/gallery.ts';
import { photoTexts } from '../../texts/guest/photo.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ReportForm } from '../../ui/report-form.tsx';
import { VideoDownload } from '../../video/video-download.tsx';

interface GuestViewerProps extends ViewerProps {
  code: string;
  /** The message about a failed action. */
  notice: ReactNode;
  /** Whether guests may download originals. */
  downloads: boolean;
  onHeart(photo: Photo): void;
  /** Receives the refusal of a photo's download, or null. */
  onDownload(this: void, refusal: ApiError | null): void;
}

/** The full screen for guests: heart, report, and the download if the host allows it. */
export default function GuestViewer({ photos, index, onShow, notice, onHeart, onDownload, downloads, code }: GuestViewerProps) {
  const [reported, setReported] = useState<Photo | null>(null);
  const photo = photos[index];
  if (!photo) return null;
  const { gallery, viewerFails } = galleryTexts;
  // Of the own photos the server hands out what it has.
  const hasFile = photo.own === true || STATE_RULES[photo.state].handedOut;
  return (
    <>
      <PhotoViewer
        {...{ photos, index, onShow, notice }}
        missing={`${viewerFails.title}. ${gallery.againByItself}`}
        covered={reported !== null}
        downloadOf={(video) => downloads && <VideoDownload photo={video} onAnswer={onDownload} />}
        tools={[
          <Tool
            key="heart"
            word={photoTexts.heart}
            aria-pressed={photo.heart === true}
            onClick={() => onHeart(photo)}
            icon={<Heart fill={photo.heart ? 'currentColor' : 'none'} />}
          />,
          ...(downloads && hasFile ? [<DownloadTool key="download" photo={photo} onAnswer={onDownload} />] : []),
          <Tool key="report" word={gallery.report} title={gallery.reportTitle} onClick={() => setReported(photo)} icon={<Flag />} />,
        ]}
      />
      {reported && (
        <Dialog title={gallery.reportTitle} onClose={() => setReported(null)}>
          <ReportForm event={code} photo={reported.id} />
        </Dialog>
      )}
    </>
  );
}

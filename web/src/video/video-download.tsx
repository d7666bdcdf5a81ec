import type { Photo } from '@feierbild/contract/entities.ts';
import { Download } from 'lucide-react';
import type { ComponentProps } from 'react';
import { photoTexts } from '../texts/guest/photo.ts';
import { buttonClasses } from '../ui/button.tsx';
import { DownloadLink } from '../ui/download-link.tsx';

interface VideoDownloadProps extends Pick<ComponentProps<typeof DownloadLink>, 'onAnswer'> {
  photo: Photo;
}

/** The download of a video that this browser cannot play; `onAnswer` as for all downloads. */
export function VideoDownload({ photo, ...rest }: VideoDownloadProps) {
  return (
    <DownloadLink {...rest} className={buttonClasses('secondary')} href={photo.original_url}>
      <Download size={20} /> {photoTexts.download}
    </DownloadLink>
  );
}

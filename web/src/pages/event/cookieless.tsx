import type { Photo } from '@feierbild/contract/entities.ts';
import { Download } from 'lucide-react';
import { useEffect, useState, type ImgHTMLAttributes } from 'react';
import { refusalOf } from '../../api/client.ts';
import { untilAnswered } from '../../lib/backoff.ts';
import { recall } from '../../lib/storage.ts';
import { cookielessTexts } from '../../texts/guest/cookieless.ts';
import { later } from '../../texts/guest/later.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';

/** Own photos in a browser that blocks cookies, which alone loads this code. The files are read with the device's header into memory. */

export const hint = (): string => cookielessTexts.hint;

/** Reads a picture or file of this device. Throws the fetch's error or ApiError. */
async function own(url: string, signal?: AbortSignal): Promise<Blob> {
  const answer = await fetch(url, { headers: { 'device-id': recall('device_id') ?? '' }, ...(signal && { signal }) });
  if (!answer.ok) throw await refusalOf(answer);
  return answer.blob();
}

/** Returns the address in memory of a picture or file of this device, once it was read. */
export function useOwn(url: string): string | undefined {
  const [shown, setShown] = useState<string>();
  useEffect(() => {
    let address = '';
    const left = new AbortController();
    const leave = untilAnswered(
      () => own(url, left.signal),
      (file) => setShown((address = URL.createObjectURL(file))),
    );
    return () => {
      leave();
      left.abort();
      URL.revokeObjectURL(address);
    };
  }, [url]);
  return shown;
}

export function OwnPicture({ src = '', alt, ...rest }: ImgHTMLAttributes<HTMLImageElement>) {
  return <img {...rest} src={useOwn(src)} alt={alt} />;
}

/** Replaces the download link, whose request would lack the device's cookie. */
export function OwnDownload({ photo: { original_url, filename } }: { photo: Photo }) {
  const { busy, failure, run } = useAction();
  async function save(): Promise<void> {
    saveFile(await own(original_url), filename);
  }
  return (
    <>
      {failure && <Notice kind="error">{failure}</Notice>}
      <Button busy={busy} onClick={() => void run(save)}>
        <Download size={20} /> {later.mine.download}
      </Button>
    </>
  );
}

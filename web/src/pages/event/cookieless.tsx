import type { Photo } from '@feierbild/contract/entities.ts';
import { Download } from 'lucide-react';
import { useEffect, useState, type ImgHTMLAttributes } from 'react';
import { ApiError, refusalOf } from '../../api/client.ts';
import { untilAnswered } from '../../lib/backoff.ts';
import { recall } from '../../lib/storage.ts';
import { cookielessTexts } from '../../texts/guest/cookieless.ts';
import { later } from '../../texts/guest/later.ts';
import { shell } from '../../texts/guest/shell.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download-link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';

/** Own photos in a browser that blocks cookies, which alone loads this code. The files are read with the device's header into memory. */

export const hint = (): string => cookielessTexts.hint;

/** Reads a picture or file of this device. Throws ApiError. */
async function own(url: string, signal: AbortSignal | null = null): Promise<Blob> {
  const file = await fetch(url, { headers: { 'device-id': recall('device_id') ?? '' }, signal })
    .then<Blob | ApiError>((answer) => (answer.ok ? answer.blob() : refusalOf(answer)))
    .catch(() => new ApiError(0, 'no_connection', shell.noConnection));
  if (file instanceof ApiError) throw file;
  return file;
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

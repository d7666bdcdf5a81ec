import { EVENT_CODE_LENGTH } from '@feierbild/contract/constants.ts';
import { useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import { useCopy } from '../../lib/use-copy.ts';
import { useSite } from '../../lib/use-site.ts';
import { Button } from '../../ui/button.tsx';
import { CodeField } from '../../ui/code-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useAction } from '../../ui/use-form.ts';
import styles from '../../ui/prose.module.css';

/** Makes the link by which a guest identifies the device to the operator; the link opens nothing. */
export function DeviceLink() {
  const [code, setCode] = useState('');
  const [url, setUrl] = useState('');
  const { busy, failure, run } = useAction();
  const { notice, copy } = useCopy();
  const site = useSite();
  const shown = useRef<HTMLParagraphElement>(null);

  return (
    <form
      noValidate
      className={styles.prose}
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          const { link } = await call('GET /api/events/:code/disclosure-link', { params: { code } });
          setUrl((site.origin ?? window.location.origin) + link);
        });
      }}
    >
      <CodeField
        value={code}
        counter="filled"
        onChange={(typed) => {
          setCode(typed);
          setUrl('');
        }}
      />
      <div>
        <Button type="submit" look="secondary" busy={busy} disabled={code.length !== EVENT_CODE_LENGTH}>
          Kennung dieses Geräts zeigen
        </Button>
      </div>
      {failure && <Notice kind="error">{failure}</Notice>}
      {url && (
        <>
          <p ref={shown} style={{ overflowWrap: 'anywhere' }}>
            {url}
          </p>
          <div>
            <Button look="secondary" onClick={() => void copy(url, 'Link kopiert', shown.current)}>
              Link kopieren
            </Button>
          </div>
          <p role="status">{notice}</p>
        </>
      )}
    </form>
  );
}

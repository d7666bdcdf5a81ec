import { QR_SIZE_SHARE } from '@feierbild/contract/constants.ts';
import type { ApprovalForm } from '@feierbild/contract/calls/gallery.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { useOrigin } from '../../lib/event-url.ts';
import { formatNumber, plural } from '../../lib/format.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select, type Option } from '../../ui/select.tsx';
import { ShareLink } from '../../ui/share-link.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useAction } from '../../ui/use-form.ts';
import { QrBox } from '../../ui/qr-box.tsx';
import styles from './panel.module.css';

/** Times in minutes after which unreleased photos may be shown, for the host to choose. */
const MINUTES = [5, 10, 30, 60];

/** The dashboard's section on releases: whether and how long photos wait, how many do, and a link for one helper. */
export function Release({ event, onChanged }: { event: HostEvent; onChanged(): Promise<unknown> }) {
  const { code, title, with_release: on, waiting, release_minutes: minutes } = event;
  const [wished, setWished] = useState<boolean | null>(null);
  const [sharing, setSharing] = useState(false);
  const { failure, run } = useAction();

  async function set(body: ApprovalForm): Promise<void> {
    setWished(body.value);
    try {
      await call('PUT /api/events/:ref/release', { params: { ref: code }, body, limitMs: 120_000 });
    } finally {
      await onChanged();
      setWished(null);
    }
  }

  return (
    <section className={styles.release}>
      <Switch
        label="Neue Fotos erst nach Freigabe zeigen"
        hint="Slideshow und Gäste sehen nur, was Sie freigeben."
        checked={wished ?? on}
        onChange={(value) => void run(() => set({ value }))}
      />
      {on && (
        <div>
          <Select
            label="Wenn niemand entscheidet"
            value={String(minutes ?? '')}
            options={[
              ['', 'nie von selbst zeigen'],
              ...[...new Set([...MINUTES, ...(minutes === null ? [] : [minutes])])].map((count): Option<string> => [
                String(count),
                `${plural(count, 'nach einer Minute', 'nach # Minuten')} von selbst zeigen`,
              ]),
            ]}
            onChange={(value) => void run(() => set({ value: true, minutes: value === '' ? null : Number(value) }))}
          />
          {minutes !== null && <p className="soft">Bis dahin hält der Server diese Fotos zurück; Gäste haben ihre Schlüssel schon.</p>}
        </div>
      )}
      {failure && <Notice kind="error">{failure}</Notice>}
      {(on || waiting > 0) && (
        <div className={styles.buttons}>
          <ButtonLink href={`/freigabe/${code}`} look={waiting > 0 ? 'primary' : 'secondary'}>
            {waiting > 0 ? `Freigeben (${formatNumber(waiting)})` : 'Freigabe öffnen'}
          </ButtonLink>
          <Button look="secondary" onClick={() => setSharing(true)}>
            Link für eine Hilfe …
          </Button>
        </div>
      )}
      {sharing && <HelperDialog code={code} title={title} onClose={() => setSharing(false)} />}
    </section>
  );
}

export const helperQuery = (code: string) =>
  queryOptions({ queryKey: ['helper', code], queryFn: () => call('GET /api/events/:ref/helper', { params: { ref: code } }) });

/** Makes, shows and ends the link for one helper. */
function HelperDialog({ code, title, onClose }: { code: string; title: string; onClose(): void }) {
  const origin = useOrigin();
  const helper = useQuery(helperQuery(code));
  const queries = useQueryClient();
  const { busy, failure, run } = useAction();
  const set = (value: boolean) =>
    run(async () =>
      queries.setQueryData(
        helperQuery(code).queryKey,
        await call('POST /api/events/:ref/helper', { params: { ref: code }, body: { value, keep: value } }),
      ),
    );
  return (
    <Dialog title="Hilfe bei der Freigabe" onClose={onClose}>
      <div className={styles.share}>
        <p>Wer diesen Link hat, sieht die wartenden Fotos und gibt sie frei, und sonst nichts. Er endet mit dem Event.</p>
        {failure && <Notice kind="error">{failure}</Notice>}
        <Loaded query={helper}>
          {({ url }) =>
            url === null ? (
              <Button wide busy={busy} onClick={() => void set(true)}>
                Link machen
              </Button>
            ) : (
              <>
                <QrBox value={origin + url} size={QR_SIZE_SHARE} title="QR-Code zur Freigabe" />
                <ShareLink url={origin + url} title={`Freigabe: ${title}`} />
                <Button look="quiet" wide busy={busy} onClick={() => void set(false)}>
                  Link beenden
                </Button>
              </>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}

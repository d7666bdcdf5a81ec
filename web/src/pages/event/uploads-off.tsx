import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { t } from '../../texts/guest/guest.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { EventHead } from './event-head.tsx';
import { ReportLink } from './report-link.tsx';
import styles from './upload-form.module.css';
import { useLater } from './use-later.ts';
import { useMyPhotos } from './use-my-photos.ts';

/** The guest's page where nothing can be added any more: what was uploaded stays one's own. */
export function UploadsOff({ code, event, deviceId }: { code: string; event: GuestEvent; deviceId: string | null }) {
  const { mine, fresh, remove } = useMyPhotos(code, deviceId);
  const later = useLater();
  return (
    <PageShell width="narrow">
      <div className={styles.closed}>
        <EventHead event={event} />
        <p>{t.page.uploadsOff}</p>
        <p>{t.page.uploadsOffText}</p>
        <p>
          <ButtonLink href="/join" look="secondary">
            {t.page.otherEvent}
          </ButtonLink>
        </p>
        <ReportLink code={code} locked={false} />
        {later && <later.MyPhotos photos={mine} fresh={fresh} onRemove={remove} locked={false} />}
      </div>
    </PageShell>
  );
}

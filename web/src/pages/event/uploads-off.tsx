import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { EventHead } from './event-head.tsx';
import { MyPhotos } from './my-photos.tsx';
import { ReportLink } from './report-link.tsx';
import styles from './upload-form.module.css';
import { useMyPhotos } from './use-my-photos.ts';

/** The guest's page where nothing can be added any more: what was uploaded stays one's own. */
export function UploadsOff({ code, event, deviceId }: { code: string; event: GuestEvent; deviceId: string | null }) {
  const { mine, fresh, remove } = useMyPhotos(code, deviceId);
  return (
    <PageShell width="narrow">
      <div className={styles.closed}>
        <EventHead event={event} />
        <p>Für dieses Event sind Uploads ausgeschaltet.</p>
        <p>Der Gastgeber kann sie wieder einschalten; dann geht es auf dieser Seite weiter.</p>
        <p>
          <ButtonLink href="/join" look="secondary">
            Anderes Event öffnen
          </ButtonLink>
        </p>
        <ReportLink code={code} locked={false} />
        <MyPhotos photos={mine} fresh={fresh} onRemove={remove} locked={false} />
      </div>
    </PageShell>
  );
}

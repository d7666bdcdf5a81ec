import type { GuestEvent } from '@feierbild/contract/entities.ts';
import { PageShell } from '../../ui/page-shell.tsx';
import { EventHead } from './event-head.tsx';
import { MyPhotos } from './my-photos.tsx';
import { ReportLink } from './report-link.tsx';
import styles from './upload-form.module.css';
import { useMyPhotos } from './use-my-photos.ts';

/** The guest's page where nothing can be added any more: what was uploaded stays one's own. */
export function UploadsOff({ code, event, deviceId }: { code: string; event: GuestEvent; deviceId: string }) {
  const { mine, onDeleted } = useMyPhotos(code, deviceId);
  return (
    <PageShell width="narrow">
      <div className={styles.closed}>
        <EventHead event={event} />
        <p>Für dieses Event sind Uploads ausgeschaltet.</p>
        <MyPhotos photos={mine} onDeleted={onDeleted} locked={false} />
        <ReportLink code={code} locked={false} />
      </div>
    </PageShell>
  );
}

import { berlinDay } from '@feierbild/contract/berlin.ts';
import type { HostEvent } from '@feierbild/contract/entities.ts';
import { isJoinable, joinableWindow } from '@feierbild/contract/event-status.ts';
import { formatDay } from '../../lib/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { OperatorPhone } from './operator-phone.tsx';

/** Why guests can't upload at the moment, and what helps. */
export function GuestsNotice({ event, now }: { event: HostEvent; now: number }) {
  const { opens, closes } = joinableWindow(event);
  if (!isJoinable(event, now)) {
    return (
      <Notice kind="info" permanent>
        {now < opens
          ? `Gäste können ab dem ${formatDay(berlinDay(opens))} beitreten und Fotos hochladen.`
          : `Das Event ist vorbei: Gäste konnten bis zum ${formatDay(berlinDay(closes - 1))} Fotos hochladen.`}{' '}
        Sie können alles ansehen und herunterladen.
      </Notice>
    );
  }
  if (event.with_user_upload) return null;
  return (
    <Notice kind="info" permanent>
      <span>
        Uploads durch Gäste sind ausgeschaltet. Einschalten lassen können Sie sie unter <OperatorPhone />.
      </span>
    </Notice>
  );
}

import type { AdminEvent } from '@feierbild/contract/entities.ts';
import { useCallback, useState, type ReactNode } from 'react';
import { call } from '../../api/client.ts';
import { withText } from '../../api/with-text.ts';
import { InvitationDialog, type Invited } from './invitation-dialog.tsx';
import { readEvent } from './list-query.ts';

/** The event to invite for. `invited_until` prevents that an invitation ends which the page does not show. */
export type InvitedEvent = Pick<AdminEvent, 'id' | 'code' | 'title'> & Partial<Pick<AdminEvent, 'host' | 'invited_until'>>;

const INVITED = 'Dieser Gastgeber wurde inzwischen schon eingeladen. Laden Sie ihn noch einmal ein, gilt der Link davor nicht mehr.';

/** Invites a host, and shows the link only once; throws ApiError. `onDone` reads the page's data again, even without an answer. */
export function useInvite(onDone: () => Promise<unknown>) {
  const [invited, setInvited] = useState<Invited | null>(null);
  const invite = useCallback(
    async (event: InvitedEvent): Promise<void> => {
      try {
        const body = { was: event.invited_until };
        const invitation = await call('POST /admin/events/:id/invitation', { params: { id: event.id }, body });
        const host = event.host === undefined ? ((await readEvent(event).catch(() => null))?.host ?? null) : event.host;
        setInvited({ event: { title: event.title, host }, invitation });
      } catch (error) {
        throw withText(error, 'event_changed', INVITED);
      } finally {
        await onDone();
      }
    },
    [onDone],
  );
  const dialog: ReactNode = invited && <InvitationDialog invited={invited} onClose={() => setInvited(null)} />;
  return { invite, show: setInvited, dialog };
}

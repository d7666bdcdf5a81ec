import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { AdminsList } from './admins-list.tsx';
import { PasswordForm } from './password-form.tsx';

/** Dialog to change the own password and to manage the other administrators. */
export function AccountDialog({ onClose, onChanged }: { onClose(): void; onChanged(): void }) {
  const { data, error, refetch } = useQuery({ queryKey: ['admins'], queryFn: () => call('GET /admin/admins') });
  const admins = data?.admins ?? [];
  return (
    <Dialog open title="Zugang" onClose={onClose}>
      <PasswordForm username={admins.find(({ own }) => own)?.username ?? ''} onChanged={onChanged} />
      <AdminsList admins={admins} error={error} onChanged={async () => void (await refetch())} />
    </Dialog>
  );
}

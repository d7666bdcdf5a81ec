import type { Kept, Section, SettingsOf } from '@feierbild/contract/calls/settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';

/** What is kept of a section, with its value's type. */
export interface KeptOf<S extends Section> extends Omit<Kept, 'value' | 'fixed'> {
  value: SettingsOf<S> | null;
  fixed: SettingsOf<S> | null;
}

/** A section of the settings: what is kept, and how to change it. What the server answers is shown at once. */
export function useSettings<S extends Section>(section: S) {
  const queries = useQueryClient();
  const queryKey = ['settings', section];
  const params = { section };
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => call('GET /admin/settings/:section', { params }) });
  const version = data?.version ?? 0;

  async function changed(kept: Kept): Promise<void> {
    queries.setQueryData(queryKey, kept);
    await queries.invalidateQueries({ queryKey: ['status'] });
  }

  return {
    kept: data as KeptOf<S> | undefined,
    error,
    refetch,
    save: async (value: SettingsOf<S>) => changed(await call('PUT /admin/settings/:section', { params, body: { version, value } })),
    back: async () => changed(await call('POST /admin/settings/:section/back', { params, body: { version } })),
  };
}
